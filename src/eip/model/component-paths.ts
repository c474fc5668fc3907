// Written by scripts/route-language.mjs of Camel's catalogue: names, types and defaults. Not to be edited.

/** The syntax of the path of each component's URIs, by scheme. */
export const COMPONENT_PATHS = `
a2a=agentCardSource activemq6=destinationType:destinationName activemq=destinationType:destinationName ai-tool=toolName amqp=destinationType:destinationName
arangodb=database as2=apiName/methodName asterisk=name atmosphere-websocket=servicePath atom=feedUri avro=transport:host:port/messageName
aws-bedrock-agent-runtime=label aws-bedrock-agent=label aws-bedrock=label aws-cloudtrail=label aws-config=label aws-secrets-manager=label
aws-security-hub=label aws2-athena=label aws2-comprehend=label aws2-cw=namespace aws2-ddb=tableName aws2-ddbstream=tableName aws2-ec2=label aws2-ecs=label
aws2-eks=label aws2-eventbridge=eventbusNameOrArn aws2-iam=label aws2-kinesis-firehose=streamName aws2-kinesis=streamName aws2-kms=label aws2-lambda=function
aws2-mq=label aws2-msk=label aws2-polly=label aws2-redshift-data=label aws2-rekognition=label aws2-s3-vectors=vectorBucketName aws2-s3=bucketNameOrArn
aws2-ses=from aws2-sns=topicNameOrArn aws2-sqs=queueNameOrArn aws2-step-functions=label aws2-sts=label aws2-textract=label aws2-timestream=clientType:label
aws2-transcribe=label aws2-translate=label azure-cosmosdb=databaseName/containerName azure-eventhubs=namespace/eventHubName azure-files=account/share
azure-functions=functionApp/functionName azure-key-vault=vaultName azure-servicebus=topicOrQueueName azure-storage-blob=accountName/containerName
azure-storage-datalake=accountName/fileSystemName azure-storage-queue=accountName/queueName bean-validator=label bean=beanName bonita=operation
box=apiName/methodName braintree=apiName/methodName browse=name caffeine-cache=cacheName caffeine-loadcache=cacheName camunda=operationName
chatscript=host:port/botName chunk=resourceUri class=beanName clickhouse=database clickup=workspaceId cm-sms=host coap+tcp=uri coap=uri coaps+tcp=uri coaps=uri
cometd=host:port/channelName cometds=host:port/channelName consul=apiEndpoint controlbus=command:language couchbase=protocol://hostname:port
couchdb=protocol:hostname:port/database cql=beanRef:hosts:port/keyspace cron=name crypto=cryptoOperation:name cxf=beanId:address cxfrs=beanId:address
cyberark-vault=label dapr=operation dataformat=name:operation dataset-test=name dataset=name debezium-db2=name debezium-mongodb=name debezium-mysql=name
debezium-oracle=name debezium-postgres=name debezium-sqlserver=name dfdl=schemaUri dhis2=apiName/methodName digitalocean=operation direct=name
disruptor-vm=name disruptor=name djl=application dns=dnsType docker=operation docling=operationId drill=host dropbox=operation duckdb=databasePath
dynamic-router-control=controlAction dynamic-router=channel ehcache=cacheName elasticsearch-rest-client=clusterName elasticsearch=clusterName event=events
exec=executable fhir=apiName/methodName file-watch=path file=directoryName flatpack=type:resourceUri flink=endpointType flowable=channelKey fop=outputType
freemarker=resourceUri ftp=host:port/directoryName ftps=host:port/directoryName geocoder=address:latlng git=localPath github2=type/branchName
google-bigquery-sql=projectId:queryString google-bigquery=projectId:datasetId:tableId google-calendar-stream=index google-calendar=apiName/methodName
google-drive=apiName/methodName google-firestore=collectionName google-functions=functionName google-mail-stream=index google-mail=apiName/methodName
google-pubsub=projectId:destinationName google-secret-manager=project google-sheets-stream=spreadsheetId google-sheets=apiName/methodName
google-speech-to-text=operation google-storage=bucketName google-text-to-speech=operation google-vertexai=projectId:location:modelId google-vision=operation
graphql=httpUri grpc=host:port/service hashicorp-vault=secretsEngine hazelcast-atomicvalue=cacheName hazelcast-instance=cacheName hazelcast-list=cacheName
hazelcast-map=cacheName hazelcast-multimap=cacheName hazelcast-pncounter=cacheName hazelcast-queue=cacheName hazelcast-replicatedmap=cacheName
hazelcast-ringbuffer=cacheName hazelcast-seda=cacheName hazelcast-set=cacheName hazelcast-topic=cacheName http=httpUri https=httpUri huggingface=task
hwcloud-dms=operation hwcloud-frs=operation hwcloud-functiongraph=operation hwcloud-iam=operation hwcloud-imagerecognition=operation hwcloud-obs=operation
hwcloud-smn=smnService ibm-cos=bucketName ibm-secrets-manager=label ibm-watson-discovery=label ibm-watson-language=label ibm-watson-speech-to-text=label
ibm-watson-text-to-speech=label ibm-watsonx-ai=label ibm-watsonx-data=label iec60870-client=uriPath iec60870-server=uriPath iggy=topicName
ignite-cache=cacheName ignite-compute=endpointId ignite-events=endpointId ignite-idgen=name ignite-messaging=topic ignite-queue=name ignite-set=name
imap=host:port imaps=host:port infinispan-embedded=cacheName infinispan=cacheName influxdb2=connectionBean influxdb=connectionBean irc=hostname:port
ironmq=queueName jcache=cacheName jcr=host/base jdbc=dataSourceName jetty=httpUri jgroups-raft=clusterName jgroups=clusterName jira=type
jms=destinationType:destinationName jmx=serverURL jolt=resourceUri jooq=entityType jpa=entityType jslt=resourceUri json-patch=resourceUri
json-validator=resourceUri jsonata=resourceUri jt400=userID:password@systemName/QSYS.LIB/objectPath.type jte=resourceUri kafka=topic kamelet=templateId/routeId
keycloak=label knative=type/typeId kserve=api kubernetes-config-maps=masterUrl kubernetes-cronjob=masterUrl kubernetes-custom-resources=masterUrl
kubernetes-deployments=masterUrl kubernetes-events=masterUrl kubernetes-hpa=masterUrl kubernetes-job=masterUrl kubernetes-namespaces=masterUrl
kubernetes-nodes=masterUrl kubernetes-persistent-volumes-claims=masterUrl kubernetes-persistent-volumes=masterUrl kubernetes-pods=masterUrl
kubernetes-replication-controllers=masterUrl kubernetes-resources-quota=masterUrl kubernetes-secrets=masterUrl kubernetes-service-accounts=masterUrl
kubernetes-services=masterUrl kudu=host:port/tableName langchain4j-agent=agentId langchain4j-chat=chatId langchain4j-embeddings=embeddingId
langchain4j-embeddingstore=embeddingStoreId langchain4j-tools=toolId langchain4j-web-search=searchId language=languageName:resourceUri ldap=dirContextName
ldif=ldapConnectionName log=loggerName lpr=hostname:port/printername lucene=host:operation lumberjack=host:port mapstruct=className
master=namespace:delegateUri metrics=metricsType:metricsName micrometer=metricsType:metricsName milo-browse=endpointUri milo-client=endpointUri
milo-server=itemId milvus=collection mina-sftp=host:port/directoryName mina=protocol:host:port minio=bucketName mllp=hostname:port mock=name
mongodb-gridfs=connectionBean mongodb=connectionBean mustache=resourceUri mvel=resourceUri mybatis-bean=beanName:methodName mybatis=statement nats=topic
neo4j=name netty-http=protocol://host:port/path netty=protocol://host:port oaipmh=baseUrl olingo2=apiName/methodName olingo4=apiName/methodName once=name
openai=operation opensearch=clusterName openshift-build-configs=masterUrl openshift-builds=masterUrl openshift-deploymentconfigs=masterUrl
openstack-cinder=host openstack-glance=host openstack-keystone=host openstack-neutron=host openstack-nova=host openstack-swift=host
opentelemetry-metrics=metricType:metricName optaplanner=problemName paho-mqtt5=topic paho=topic pdf=operation
pg-replication-slot=host:port/database/slot:outputPlugin pgevent=host:port/database/channel pgvector=collection pinecone=collection platform-http=path
plc4x=driver pop3=host:port pop3s=host:port pqc=label pubnub=channel pulsar=persistence://tenant/namespace/topic qdrant=collection quartz=groupName/triggerName
quickfix=configurationName reactive-streams=stream ref=name rest-api=path rest-openapi=specificationUri#operationId rest=method:path:uriTemplate
robotframework=resourceUri rocketmq=topicName rss=feedUri saga=action salesforce=operationName:topicName sap-netweaver=url scheduler=name schematron=path
scp=host:port/directoryName seda=name servicenow=instanceName servlet=contextPath sftp=host:port/directoryName shell=prompt
sjms2=destinationType:destinationName sjms=destinationType:destinationName slack=channel smb=hostname:port/shareName/path smooks=smooksConfig smpp=host:port
smpps=host:port smtp=host:port smtps=host:port snmp=host:port solr=host:port/basePath splunk-hec=splunkURL splunk=name spring-ai-chat=chatId
spring-ai-embeddings=embeddingId spring-ai-image=imageId spring-ai-vector-store=storeId spring-batch=jobName spring-event=name spring-jdbc=dataSourceName
spring-ldap=templateName spring-rabbitmq=exchangeName spring-redis=host:port spring-ws=type:lookupKey:webServiceEndpointUri sql-stored=template sql=query
ssh=host:port stax=contentHandlerClass stitch=tableName stream=kind string-template=resourceUri stripe=operation stub=name tahu-edge=groupId/edgeNode
tahu-host=hostId telegram=type tensorflow-serving=api thrift=host:port/service thymeleaf=resourceUri tika=operation timer=timerName twilio=apiName/methodName
twitter-directmessage=user twitter-search=keywords twitter-timeline=timelineType undertow=httpURI validator=resourceUri velocity=resourceUri vertx-http=httpUri
vertx-websocket=host:port/path vertx=address wasm=functionName weather=name weaviate=collection web3j=nodeAddress webhook=endpointUri whatsapp=phoneNumberId
wordpress=operation workday=entity:path xchange=name xj=resourceUri xmlsecurity-sign=name xmlsecurity-verify=name xmpp=host:port/participant xquery=resourceUri
xslt-saxon=resourceUri xslt=resourceUri zeebe=operationName zendesk=methodName zookeeper-master=groupName:consumerEndpointUri zookeeper=serverUrls/path
`;
