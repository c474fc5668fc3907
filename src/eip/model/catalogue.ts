// Written by scripts/route-language.mjs of Camel's catalogue: names, types and defaults. Not to be edited.

/**
 * The elements of the DSL, one per line: its name, `~` where it takes an expression of its own, and behind `"` the option that a text in its place is; then its options.
 * Types: s text, b true or false, n number, o anything, x an expression, @ an element, * a list, a|b one of; `?` one of several, `!` required, `=` the default.
 */
export const ELEMENTS = `
DataFormats asn1:@ASN1DataFormat avro:@AvroDataFormat barcode:@BarcodeDataFormat base64:@Base64DataFormat beanio:@BeanioDataFormat bindy:@BindyDataFormat cbor:@CBORDataFormat crypto:@CryptoDataFormat csv:@CsvDataFormat custom:@CustomDataFormat dfdl:@DfdlDataFormat fhirJson:@FhirJsonDataFormat fhirXml:@FhirXmlDataFormat flatpack:@FlatpackDataFormat fory:@ForyDataFormat grok:@GrokDataFormat groovyJson:@GroovyJSonDataFormat groovyXml:@GroovyXmlDataFormat gzipDeflater:@GzipDeflaterDataFormat hl7:@HL7DataFormat ical:@IcalDataFormat iso8583:@Iso8583DataFormat jacksonXml:@JacksonXMLDataFormat jaxb:@JaxbDataFormat json:@JsonDataFormat jsonApi:@JsonApiDataFormat lzf:@LZFDataFormat mimeMultipart:@MimeMultipartDataFormat ocsf:@OcsfDataFormat parquetAvro:@ParquetAvroDataFormat pgp:@PGPDataFormat pqc:@PQCDataFormat protobuf:@ProtobufDataFormat rss:@RssDataFormat smooks:@SmooksDataFormat soap:@SoapDataFormat swiftMt:@SwiftMtDataFormat swiftMx:@SwiftMxDataFormat syslog:@SyslogDataFormat tarFile:@TarFileDataFormat thrift:@ThriftDataFormat univocityCsv:@UniVocityCsvDataFormat univocityFixed:@UniVocityFixedDataFormat univocityTsv:@UniVocityTsvDataFormat xmlSecurity:@XMLSecurityDataFormat yaml:@YAMLDataFormat zipDeflater:@ZipDeflaterDataFormat zipFile:@ZipFileDataFormat
OutputAwareFrom description:s id:s note:s parameters:o steps:@Processor*! uri:s! variableReceive:s
RouteFrom description:s id:s note:s parameters:o steps:@Processor*! uri:s! variableReceive:s
A2ASubTask description:s disabled:b=false emitAfter:s emitBefore:s emitOnError:s failIfNoTaskContext:b=false id:s note:s steps:@Processor*
Aggregate aggregateController:s aggregationRepository:s aggregationStrategy:s! aggregationStrategyMethodAllowNull:b=false aggregationStrategyMethodName:s closeCorrelationKeyOnCompletion:n completeAllOnStop:b=false completionFromBatchConsumer:b=false completionInterval:s completionOnNewCorrelationGroup:b=false completionPredicate:x completionSize:n completionSizeExpression:x completionTimeout:s completionTimeoutCheckerInterval:s=1000 completionTimeoutExpression:x correlationExpression:x description:s disabled:b=false discardOnAggregationFailure:b=false discardOnCompletionTimeout:b=false eagerCheckCompletion:b=false executorService:s forceCompletionOnStop:b=false id:s ignoreInvalidCorrelationKeys:b=false note:s optimisticLockRetryPolicy:@OptimisticLockRetryPolicy optimisticLocking:b=false optimisticLockingSyncRetry:b=false parallelProcessing:b=false steps:@Processor* timeoutCheckerExecutorService:s
Bean"ref beanType:s description:s disabled:b=false id:s method:s note:s ref:s scope:Singleton|Request|Prototype=Singleton
BeanFactory builderClass:s builderMethod:s=build constructors:o destroyMethod:s factoryBean:s factoryMethod:s initMethod:s name:s! properties:o script:s scriptLanguage:s scriptPropertyPlaceholders:b=true type:s!
Catch description:s disabled:b=false exception:s* id:s note:s onWhen:@OnWhen steps:@Processor*
Choice description:s disabled:b=false id:s note:s otherwise:@Otherwise precondition:b=false when:@When*
CircuitBreaker configuration:s description:s disabled:b=false faultToleranceConfiguration:@FaultToleranceConfiguration id:s note:s onFallback:@OnFallback resilience4jConfiguration:@Resilience4jConfiguration steps:@Processor*
ClaimCheck aggregationStrategy:s aggregationStrategyMethodName:s description:s disabled:b=false filter:s id:s key:s note:s operation:Get|GetAndRemove|Set|Push|Pop!
ConvertBody"type charset:s description:s disabled:b=false id:s mandatory:b=true note:s type:s!
ConvertHeader charset:s description:s disabled:b=false id:s mandatory:b=true name:s! note:s toName:s type:s!
ConvertVariable charset:s description:s disabled:b=false id:s mandatory:b=true name:s! note:s toName:s type:s!
DataFormat id:s
Delay~ asyncDelayed:b=true callerRunsWhenRejected:b=true description:s disabled:b=false executorService:s id:s note:s
DynamicRouter~ allowedSchemes:s cacheSize:n description:s disabled:b=false id:s ignoreInvalidEndpoints:b=false note:s uriDelimiter:s=%2C
Enrich~ aggregateOnException:b=false aggregationStrategy:s aggregationStrategyMethodAllowNull:s aggregationStrategyMethodName:s allowOptimisedComponents:b=true allowedSchemes:s autoStartComponents:b=true cacheSize:n description:s disabled:b=false id:s ignoreInvalidEndpoint:b=false note:s shareUnitOfWork:b=false variableReceive:s variableSend:s
ErrorHandler id:s deadLetterChannel:?@DeadLetterChannel defaultErrorHandler:?@DefaultErrorHandler jtaTransactionErrorHandler:?@JtaTransactionErrorHandler noErrorHandler:?@NoErrorHandler refErrorHandler:?@RefErrorHandler springTransactionErrorHandler:?@SpringTransactionErrorHandler
ExpressionSubElement~
FaultToleranceConfiguration bulkheadEnabled:b=false bulkheadMaxConcurrentCalls:n=10 bulkheadWaitingTaskQueue:n=10 delay:s=5000 failureRatio:n=50 id:s requestVolumeThreshold:n=20 successThreshold:n=1 threadOffloadExecutorService:s timeoutDuration:s=1000 timeoutEnabled:b=false typedGuard:s timeoutPoolSize:n=10
Filter~ description:s disabled:b=false id:s note:s statusPropertyName:s steps:@Processor*
Finally description:s disabled:b=false id:s note:s steps:@Processor*
From description:s id:s note:s parameters:o steps:@Processor*! uri:s! variableReceive:s
IdempotentConsumer~ completionEager:b=false description:s disabled:b=false eager:b=true id:s idempotentRepository:s! note:s removeOnFailure:b=true skipDuplicate:b=true steps:@Processor*
InputType description:s id:s note:s urn:s! validate:b=false
Intercept description:s disabled:b=false id:s note:s onWhen:@OnWhen steps:@Processor*
InterceptFrom"uri description:s disabled:b=false id:s note:s onWhen:@OnWhen steps:@Processor* uri:s
InterceptSendToEndpoint"uri afterUri:s description:s disabled:b=false id:s note:s onWhen:@OnWhen skipSendToOriginalEndpoint:b=false steps:@Processor* uri:s!
Kamelet"name description:s name:s! note:s parameters:o steps:@Processor*
LoadBalance description:s disabled:b=false id:s note:s steps:@Processor* customLoadBalancer:?@CustomLoadBalancer failoverLoadBalancer:?@FailoverLoadBalancer randomLoadBalancer:?@RandomLoadBalancer roundRobinLoadBalancer:?@RoundRobinLoadBalancer stickyLoadBalancer:?@StickyLoadBalancer topicLoadBalancer:?@TopicLoadBalancer weightedLoadBalancer:?@WeightedLoadBalancer
Log"message description:s disabled:b=false id:s logLanguage:s logName:s logger:s loggingLevel:TRACE|DEBUG|INFO|WARN|ERROR|OFF=INFO marker:s message:s! note:s
Loop~ breakOnShutdown:b=false copy:b=false description:s disabled:b=false doWhile:b=false id:s note:s onPrepare:s steps:@Processor*
Marshal description:s disabled:b=false id:s note:s variableReceive:s variableSend:s asn1:?@ASN1DataFormat avro:?@AvroDataFormat barcode:?@BarcodeDataFormat base64:?@Base64DataFormat beanio:?@BeanioDataFormat bindy:?@BindyDataFormat cbor:?@CBORDataFormat crypto:?@CryptoDataFormat csv:?@CsvDataFormat custom:?@CustomDataFormat dfdl:?@DfdlDataFormat fhirJson:?@FhirJsonDataFormat fhirXml:?@FhirXmlDataFormat flatpack:?@FlatpackDataFormat fory:?@ForyDataFormat grok:?@GrokDataFormat groovyJson:?@GroovyJSonDataFormat groovyXml:?@GroovyXmlDataFormat gzipDeflater:?@GzipDeflaterDataFormat hl7:?@HL7DataFormat ical:?@IcalDataFormat iso8583:?@Iso8583DataFormat jacksonXml:?@JacksonXMLDataFormat jaxb:?@JaxbDataFormat json:?@JsonDataFormat jsonApi:?@JsonApiDataFormat lzf:?@LZFDataFormat mimeMultipart:?@MimeMultipartDataFormat ocsf:?@OcsfDataFormat parquetAvro:?@ParquetAvroDataFormat pgp:?@PGPDataFormat pqc:?@PQCDataFormat protobuf:?@ProtobufDataFormat rss:?@RssDataFormat smooks:?@SmooksDataFormat soap:?@SoapDataFormat swiftMt:?@SwiftMtDataFormat swiftMx:?@SwiftMxDataFormat syslog:?@SyslogDataFormat tarFile:?@TarFileDataFormat thrift:?@ThriftDataFormat univocityCsv:?@UniVocityCsvDataFormat univocityFixed:?@UniVocityFixedDataFormat univocityTsv:?@UniVocityTsvDataFormat xmlSecurity:?@XMLSecurityDataFormat yaml:?@YAMLDataFormat zipDeflater:?@ZipDeflaterDataFormat zipFile:?@ZipFileDataFormat
Multicast aggregationStrategy:s aggregationStrategyMethodAllowNull:b=false aggregationStrategyMethodName:s description:s disabled:b=false executorService:s id:s note:s onPrepare:s parallelAggregate:b=false parallelProcessing:b=false shareUnitOfWork:b=false steps:@Processor* stopOnException:b=false streaming:b=false synchronous:b=false timeout:s=0
OnCompletion description:s disabled:b=false executorService:s id:s mode:AfterConsumer|BeforeConsumer=AfterConsumer note:s onCompleteOnly:b=false onFailureOnly:b=false onWhen:@OnWhen parallelProcessing:b=false steps:@Processor* useOriginalMessage:b=false
OnException continued:x description:s disabled:b=false exception:s* handled:x id:s note:s onExceptionOccurredRef:s onRedeliveryRef:s onWhen:@OnWhen redeliveryPolicy:@RedeliveryPolicy redeliveryPolicyRef:s retryWhile:x steps:@Processor* useOriginalBody:b=false useOriginalMessage:b=false
OnFallback description:s fallbackViaNetwork:b=false id:s note:s steps:@Processor*
OnWhen~ description:s id:s note:s
OptimisticLockRetryPolicy exponentialBackOff:b=true maximumRetries:n maximumRetryDelay:s=1000 randomBackOff:b=false retryDelay:s=50
Otherwise description:s disabled:b=false id:s note:s steps:@Processor*
Output description:s disabled:b id:s note:s steps:@Processor*
OutputType description:s id:s note:s urn:s! validate:b=false
Pausable consumerListener:s! description:s disabled:b=false id:s note:s untilCheck:s!
Pipeline description:s disabled:b=false id:s note:s steps:@Processor*
Policy description:s disabled:b=false id:s note:s ref:s! steps:@Processor*
Poll"uri description:s disabled:b=false id:s note:s parameters:o timeout:s=20000 uri:s! variableReceive:s
PollEnrich~ aggregateOnException:b=false aggregationStrategy:s aggregationStrategyMethodAllowNull:s aggregationStrategyMethodName:s allowOptimisedComponents:b=true allowedSchemes:s autoStartComponents:b=true cacheSize:n description:s disabled:b=false id:s ignoreInvalidEndpoint:b=false note:s timeout:s=-1 variableReceive:s
Process description:s disabled:b=false id:s note:s ref:s!
Property key:s! value:s!
PropertyExpression~ key:s!
RecipientList~ aggregationStrategy:s aggregationStrategyMethodAllowNull:b=false aggregationStrategyMethodName:s allowedSchemes:s cacheSize:n delimiter:s=%2C description:s disabled:b=false executorService:s id:s ignoreInvalidEndpoints:b=false note:s onPrepare:s parallelAggregate:b=false parallelProcessing:b=false shareUnitOfWork:b=false stopOnException:b=false streaming:b=false synchronous:b=false timeout:s=0
RedeliveryPolicy allowRedeliveryWhileStopping:b=true asyncDelayedRedelivery:b=false backOffMultiplier:n=2 collisionAvoidanceFactor:n=0.15 delayPattern:s disableRedelivery:b=false exchangeFormatterRef:s id:s logContinued:b=false logExhausted:b=true logExhaustedMessageBody:b=false logExhaustedMessageHistory:b=false logHandled:b=false logNewException:b=true logRetryAttempted:b=true logRetryStackTrace:b=false logStackTrace:b=true maximumRedeliveries:n maximumRedeliveryDelay:s=60000 redeliveryDelay:s=1000 retriesExhaustedLogLevel:TRACE|DEBUG|INFO|WARN|ERROR|OFF=ERROR retryAttemptedLogInterval:n=1 retryAttemptedLogLevel:TRACE|DEBUG|INFO|WARN|ERROR|OFF=DEBUG useCollisionAvoidance:b=false useExponentialBackOff:b=false
RemoveHeader"name description:s disabled:b=false id:s name:s! note:s
RemoveHeaders"pattern description:s disabled:b=false excludePattern:s id:s note:s pattern:s!
RemoveProperties"pattern description:s disabled:b=false excludePattern:s id:s note:s pattern:s!
RemoveProperty"name description:s disabled:b=false id:s name:s! note:s
RemoveVariable"name description:s disabled:b=false id:s name:s! note:s
Resequence~ description:s disabled:b=false id:s note:s steps:@Processor* batchConfig:?@BatchResequencerConfig streamConfig:?@StreamResequencerConfig
Resilience4jConfiguration asynchronous:b=false automaticTransitionFromOpenToHalfOpenEnabled:b=false bulkheadEnabled:b=false bulkheadFairCallHandlingEnabled:b=true bulkheadMaxConcurrentCalls:n=25 bulkheadMaxWaitDuration:s=0 circuitBreaker:s config:s failureRateThreshold:n=50 id:s ignoreException:s* maxWaitDurationInHalfOpenState:s=0 micrometerEnabled:b=false minimumNumberOfCalls:n=100 permittedNumberOfCallsInHalfOpenState:n=10 recordException:s* slidingWindowSize:n=100 slidingWindowSynchronizationStrategy:LOCK_FREE|SYNCHRONIZED=SYNCHRONIZED slidingWindowType:TIME_BASED|COUNT_BASED=COUNT_BASED slowCallDurationThreshold:s=60000 slowCallRateThreshold:n=100 throwExceptionWhenHalfOpenOrOpenState:b=false timeoutCancelRunningFuture:b=true timeoutDuration:s=1000 timeoutEnabled:b=false timeoutExecutorService:s waitDurationInOpenState:s=60000 writableStackTraceEnabled:b=true
Resumable description:s disabled:b=false id:s intermittent:b=false loggingLevel:TRACE|DEBUG|INFO|WARN|ERROR|OFF=ERROR note:s resumeStrategy:s!
Rollback"message description:s disabled:b=false id:s markRollbackOnly:b=false markRollbackOnlyLast:b=false message:s note:s
RouteConfiguration description:s errorHandler:@ErrorHandler id:s intercept:o* interceptFrom:o* interceptSendToEndpoint:o* note:s onCompletion:o* onException:o* precondition:s
Route autoStartup:b description:s errorHandler:@ErrorHandler errorHandlerRef:s from:@From! group:s id:s inputType:@InputType logMask:b messageHistory:b nodePrefixId:s note:s outputType:@OutputType precondition:s routeConfigurationId:s routePolicyRef:s shutdownRoute:Default|Defer=Default shutdownRunningTask:CompleteCurrentTaskOnly|CompleteAllTasks=CompleteCurrentTaskOnly startupOrder:n streamCache:b trace:b routeProperty:@Property*
RouteTemplate beans:@BeanFactory* description:s from:@From id:s! note:s parameters:@RouteTemplateParameter* route:@Route
RouteTemplateParameter defaultValue:s description:s name:s! required:b=false
RoutingSlip~ allowedSchemes:s cacheSize:n description:s disabled:b=false id:s ignoreInvalidEndpoints:b=false note:s uriDelimiter:s=%2C
Saga compensation:s completion:s completionMode:AUTO|MANUAL=AUTO description:s disabled:b=false id:s note:s option:@PropertyExpression* propagation:REQUIRED|REQUIRES_NEW|MANDATORY|SUPPORTS|NOT_SUPPORTED|NEVER=REQUIRED sagaService:s steps:@Processor* timeout:s
Sampling"samplePeriod description:s disabled:b=false id:s messageFrequency:n note:s samplePeriod:s=1000
Script~ description:s disabled:b=false id:s note:s
SetBody~ description:s disabled:b=false id:s note:s
SetExchangePattern"pattern description:s disabled:b=false id:s note:s pattern:InOnly|InOut!
SetHeader~ description:s disabled:b=false id:s name:s! note:s
SetHeaders description:s disabled:b=false headers:@SetHeader* id:s note:s
SetProperty~ description:s disabled:b=false id:s name:s! note:s
SetVariable~ description:s disabled:b=false id:s name:s! note:s
SetVariables description:s disabled:b=false id:s note:s variables:@SetVariable*
Sort~ comparator:s description:s disabled:b=false id:s note:s
Split~ aggregationStrategy:s aggregationStrategyMethodAllowNull:b=false aggregationStrategyMethodName:s delimiter:s=%2C description:s disabled:b=false errorThreshold:n executorService:s group:n id:s maxFailedRecords:n note:s onPrepare:s parallelAggregate:b=false parallelProcessing:b=false resumeStrategy:s shareUnitOfWork:b=false steps:@Processor* stopOnException:b=false streaming:b=false synchronous:b=false timeout:s=0 watermarkExpression:s watermarkKey:s
Step description:s disabled:b=false id:s note:s steps:@Processor*
Stop description:s disabled:b=false id:s note:s
TemplatedRoute beans:@BeanFactory* group:s parameters:@TemplatedRouteParameter* prefixId:s routeId:s routeTemplateRef:s!
TemplatedRouteParameter name:s! value:s!
ThreadPoolProfile allowCoreThreadTimeOut:b=false defaultProfile:b=false description:s id:s keepAliveTime:n maxPoolSize:n maxQueueSize:n note:s poolSize:n rejectedPolicy:Abort|CallerRuns|Block timeUnit:NANOSECONDS|MICROSECONDS|MILLISECONDS|SECONDS|MINUTES|HOURS|DAYS
Threads allowCoreThreadTimeOut:b=false callerRunsWhenRejected:b=true description:s disabled:b=false executorService:s id:s keepAliveTime:n maxPoolSize:n maxQueueSize:n note:s poolSize:n rejectedPolicy:Abort|CallerRuns|Block threadName:s=Threads timeUnit:NANOSECONDS|MICROSECONDS|MILLISECONDS|SECONDS|MINUTES|HOURS|DAYS
Throttle~ asyncDelayed:b=false callerRunsWhenRejected:b=true correlationExpression:x description:s disabled:b=false executorService:s id:s mode:TotalRequests|ConcurrentRequests=TotalRequests note:s rejectExecution:b=false timePeriodMillis:s=1000
ThrowException description:s disabled:b=false exceptionType:s id:s message:s note:s ref:s
To"uri description:s disabled:b=false id:s note:s parameters:o pattern:InOnly|InOut uri:s! variableReceive:s variableSend:s
ToDynamic"uri allowOptimisedComponents:b=true allowedSchemes:s autoStartComponents:b=true cacheSize:n description:s disabled:b=false id:s ignoreInvalidEndpoint:b=false note:s parameters:o pattern:InOnly|InOut uri:s! variableReceive:s variableSend:s
Tokenizer description:s disabled:b=false id:s note:s langChain4jCharacterTokenizer:?@LangChain4jCharacterTokenizer langChain4jLineTokenizer:?@LangChain4jLineTokenizer langChain4jParagraphTokenizer:?@LangChain4jParagraphTokenizer langChain4jSentenceTokenizer:?@LangChain4jSentenceTokenizer langChain4jWordTokenizer:?@LangChain4jWordTokenizer
TokenizerImplementation id:s
Transacted description:s disabled:b=false id:s note:s ref:s steps:@Processor*
TransformDataType description:s disabled:b=false fromType:s id:s note:s toType:s!
Transform~ description:s disabled:b=false id:s note:s
Try description:s disabled:b=false doCatch:@Catch* doFinally:@Finally id:s note:s steps:@Processor*
Unmarshal allowNullBody:b=false description:s disabled:b=false id:s note:s variableReceive:s variableSend:s asn1:?@ASN1DataFormat avro:?@AvroDataFormat barcode:?@BarcodeDataFormat base64:?@Base64DataFormat beanio:?@BeanioDataFormat bindy:?@BindyDataFormat cbor:?@CBORDataFormat crypto:?@CryptoDataFormat csv:?@CsvDataFormat custom:?@CustomDataFormat dfdl:?@DfdlDataFormat fhirJson:?@FhirJsonDataFormat fhirXml:?@FhirXmlDataFormat flatpack:?@FlatpackDataFormat fory:?@ForyDataFormat grok:?@GrokDataFormat groovyJson:?@GroovyJSonDataFormat groovyXml:?@GroovyXmlDataFormat gzipDeflater:?@GzipDeflaterDataFormat hl7:?@HL7DataFormat ical:?@IcalDataFormat iso8583:?@Iso8583DataFormat jacksonXml:?@JacksonXMLDataFormat jaxb:?@JaxbDataFormat json:?@JsonDataFormat jsonApi:?@JsonApiDataFormat lzf:?@LZFDataFormat mimeMultipart:?@MimeMultipartDataFormat ocsf:?@OcsfDataFormat parquetAvro:?@ParquetAvroDataFormat pgp:?@PGPDataFormat pqc:?@PQCDataFormat protobuf:?@ProtobufDataFormat rss:?@RssDataFormat smooks:?@SmooksDataFormat soap:?@SoapDataFormat swiftMt:?@SwiftMtDataFormat swiftMx:?@SwiftMxDataFormat syslog:?@SyslogDataFormat tarFile:?@TarFileDataFormat thrift:?@ThriftDataFormat univocityCsv:?@UniVocityCsvDataFormat univocityFixed:?@UniVocityFixedDataFormat univocityTsv:?@UniVocityTsvDataFormat xmlSecurity:?@XMLSecurityDataFormat yaml:?@YAMLDataFormat zipDeflater:?@ZipDeflaterDataFormat zipFile:?@ZipFileDataFormat
Validate~ description:s disabled:b=false id:s note:s predicateExceptionFactory:s
Value value:s
When~ description:s disabled:b=false id:s note:s steps:@Processor*
WireTap allowOptimisedComponents:b=true allowedSchemes:s autoStartComponents:b=true cacheSize:n copy:b=true description:s disabled:b=false dynamicUri:b=true executorService:s id:s ignoreInvalidEndpoint:b=false note:s onPrepare:s parameters:o uri:s! variableReceive:s variableSend:s pattern:InOnly|InOut
BeanConstructor index:n value:s!
BeanConstructors constructor:@BeanConstructor*
BeanProperties property:@BeanProperty*
BeanProperty key:s properties:@BeanProperties value:s
ComponentScan basePackage:s
SSLContextParameters certAlias:s cipherSuites:s cipherSuitesExclude:s cipherSuitesInclude:s clientAuthentication:NONE|WANT|REQUIRE id:s keyManagerAlgorithm:s keyManagerProvider:s keyStore:s keyStoreProvider:s keyStoreType:s keystorePassword:s namedGroups:s namedGroupsExclude:s namedGroupsInclude:s provider:s secureRandomAlgorithm:s secureRandomProvider:s secureSocketProtocol:s sessionTimeout:s signatureSchemes:s signatureSchemesExclude:s signatureSchemesInclude:s trustAllCertificates:s trustStore:s trustStorePassword:s
BatchResequencerConfig allowDuplicates:b=false batchSize:n=100 batchTimeout:s=1000 ignoreInvalidExchanges:b=false reverse:b=false
StreamResequencerConfig capacity:n=1000 comparator:s deliveryAttemptInterval:s=1000 ignoreInvalidExchanges:b=false rejectOld:b=false timeout:s=1000
ASN1DataFormat id:s unmarshalType:s usingIterator:b=false
AvroDataFormat allowJmsType:b=false allowUnmarshallType:b=false autoDiscoverObjectMapper:b=false autoDiscoverSchemaResolver:b=true collectionType:s contentTypeHeader:b=true disableFeatures:s enableFeatures:s id:s include:s instanceClassName:s jsonView:s library:ApacheAvro|Jackson=avroJackson moduleClassNames:s moduleRefs:s objectMapper:s schemaResolver:s timezone:s unmarshalType:s useDefaultObjectMapper:b=true useList:b=false
BarcodeDataFormat barcodeFormat:AZTEC|CODABAR|CODE_39|CODE_93|CODE_128|DATA_MATRIX|EAN_8|EAN_13|ITF|MAXICODE|PDF_417|QR_CODE|RSS_14|RSS_EXPANDED|UPC_A|UPC_E|UPC_EAN_EXTENSION=QR_CODE height:n=100 id:s imageType:JPG|GIF|PNG=PNG width:n=100
Base64DataFormat id:s lineLength:n=76 lineSeparator:s urlSafe:b=false
BeanioDataFormat beanReaderErrorHandlerType:s encoding:s id:s ignoreInvalidRecords:b=false ignoreUnexpectedRecords:b=false ignoreUnidentifiedRecords:b=false mapping:s! streamName:s! unmarshalSingleObject:b=false
BindyDataFormat allowEmptyStream:b=false classType:s defaultValueStringAsNull:b=false id:s locale:s type:Csv|Fixed|KeyValue! unwrapSingleInstance:b=true
CBORDataFormat allowJmsType:b=false allowUnmarshallType:b=false collectionType:s disableFeatures:s enableFeatures:s id:s objectMapper:s prettyPrint:b=false unmarshalType:s useDefaultObjectMapper:b=true useList:b=false
CryptoDataFormat algorithm:s algorithmParameterSpec:s bufferSize:n=4096 cryptoProvider:s id:s initVector:s inline:b=false key:s macAlgorithm:s=HmacSHA1 shouldAppendHMAC:b=true
CsvDataFormat"delimiter allowMissingColumnNames:b=false captureHeaderRecord:b=false commentMarker:s commentMarkerDisabled:b=false delimiter:s escape:s escapeDisabled:b=false format:DEFAULT|EXCEL|INFORMIX_UNLOAD|INFORMIX_UNLOAD_CSV|MONGODB_CSV|MONGODB_TSV|MYSQL|ORACLE|POSTGRESQL_CSV|POSTGRESQL_TEXT|RFC4180=DEFAULT header:s headerDisabled:b=false id:s ignoreEmptyLines:b=false ignoreHeaderCase:b=false ignoreSurroundingSpaces:b=false lazyLoad:b=false marshallerFactoryRef:s nullString:s nullStringDisabled:b=false quote:s quoteDisabled:b=false quoteMode:ALL|ALL_NON_NULL|MINIMAL|NON_NUMERIC|NONE recordConverterRef:s recordSeparator:s recordSeparatorDisabled:b=false skipHeaderRecord:b=false trailingDelimiter:b=false trim:b=false useMaps:b=false useOrderedMaps:b=false
CustomDataFormat"ref id:s ref:s!
DfdlDataFormat"schemaUri id:s rootElement:s rootNamespace:s schemaUri:s!
FhirJsonDataFormat contentTypeHeader:b=true dontEncodeElements:s dontStripVersionsFromReferencesAtPaths:s encodeElements:s encodeElementsAppliesToChildResourcesOnly:b=false fhirContext:s fhirVersion:DSTU2|DSTU2_HL7ORG|DSTU2_1|DSTU3|R4|R5=R4 forceResourceId:s id:s omitResourceId:b=false overrideResourceIdWithBundleEntryFullUrl:b=false parserErrorHandler:s parserOptions:s preferTypes:s prettyPrint:b=false serverBaseUrl:s stripVersionsFromReferences:b=false summaryMode:b=false suppressNarratives:b=false
FhirXmlDataFormat contentTypeHeader:b=true dontEncodeElements:s dontStripVersionsFromReferencesAtPaths:s encodeElements:s encodeElementsAppliesToChildResourcesOnly:b=false fhirContext:s fhirVersion:DSTU2|DSTU2_HL7ORG|DSTU2_1|DSTU3|R4|R5=R4 forceResourceId:s id:s omitResourceId:b=false overrideResourceIdWithBundleEntryFullUrl:b=false parserErrorHandler:s parserOptions:s preferTypes:s prettyPrint:b=false serverBaseUrl:s stripVersionsFromReferences:b=false summaryMode:b=false suppressNarratives:b=false
FlatpackDataFormat allowShortLines:b=false definition:s delimiter:s=%2C fixed:b=false id:s ignoreExtraColumns:b=false ignoreFirstRecord:b=true parserFactory:s textQualifier:s
ForyDataFormat allowAutoWiredFory:b=true id:s requireClassRegistration:b=true threadSafe:b=true unmarshalType:s
GrokDataFormat allowMultipleMatchesPerLine:b=true flattened:b=false id:s namedOnly:b=false pattern:s!
GroovyJSonDataFormat id:s prettyPrint:b=true
GroovyXmlDataFormat attributeMapping:b=true id:s
GzipDeflaterDataFormat id:s
HL7DataFormat id:s parser:s targetFormat:XML validate:b=true
IcalDataFormat id:s validating:b=false
Iso8583DataFormat allowAutoWiredMessageFormat:b=true configFile:s=j8583-config.xml id:s isoType:s
JacksonXMLDataFormat allowJmsType:b=false allowUnmarshallType:b=false collectionType:s contentTypeHeader:b=true disableFeatures:s enableFeatures:s enableJaxbAnnotationModule:b=false id:s include:s jsonView:s maxStringLength:n moduleClassNames:s moduleRefs:s prettyPrint:b=false timezone:s unmarshalType:s useList:b=false xmlMapper:s
JaxbDataFormat accessExternalSchemaProtocols:s contentTypeHeader:b=true contextPath:s! contextPathIsClassName:b=false encoding:s filterNonXmlChars:b=false fragment:b=false id:s ignoreJAXBElement:b=true jaxbProviderProperties:s mustBeJAXBElement:b=false namespacePrefix:s noNamespaceSchemaLocation:s objectFactory:b=true partClass:s partNamespace:s prettyPrint:b=true schema:s schemaLocation:s schemaSeverityLevel:0|1|2=0 xmlStreamWriterWrapper:s
JsonApiDataFormat dataFormatTypes:s id:s mainFormatType:s
JsonDataFormat allowJmsType:b=false allowUnmarshallType:b=false autoDiscoverObjectMapper:b=false autoDiscoverSchemaResolver:b=true collectionType:s combineUnicodeSurrogates:b=false contentTypeHeader:b=true dateFormatPattern:s disableFeatures:s enableFeatures:s id:s include:s jsonView:s library:Fastjson|Gson|Jackson|Jsonb=Jackson maxStringLength:n moduleClassNames:s moduleRefs:s namingStrategy:s objectMapper:s prettyPrint:b=false schemaResolver:s timezone:s unmarshalType:s useDefaultObjectMapper:b=true useList:b=false
LZFDataFormat id:s usingParallelCompression:b=false
MimeMultipartDataFormat binaryContent:b=false headersInline:b=false id:s includeHeaders:s multipartSubType:s=mixed multipartWithoutAttachment:b=false
OcsfDataFormat allowUnmarshallType:b=false collectionType:s id:s objectMapper:s prettyPrint:b=false unmarshalType:s useDefaultObjectMapper:b=true useList:b=false
PGPDataFormat algorithm:n armored:b=false compressionAlgorithm:n hashAlgorithm:n id:s integrity:b=true keyFileName:s keyUserid:s password:s provider:s requireIntegrityProtection:b=true signatureKeyFileName:s signatureKeyRing:s signatureKeyUserid:s signaturePassword:s signatureVerificationOption:s
PQCDataFormat id:s keyEncapsulationAlgorithm:MLKEM|BIKE|HQC|CMCE|SABER|FRODO|NTRU|NTRULPRime|SNTRUPrime|KYBER=MLKEM keyGenerator:s keyPair:s provider:s symmetricKeyAlgorithm:AES|ARIA|CAMELLIA|CAST6|DSTU7624|GOST3412_2015|SEED|SM4|CHACHA7539=AES symmetricKeyLength:n=128 bufferSize:n=4096
ParquetAvroDataFormat compressionCodecName:UNCOMPRESSED|SNAPPY|GZIP|LZO|BROTLI|LZ4|ZSTD|LZ4_RAW=GZIP id:s lazyLoad:b=false unmarshalType:s
ProtobufDataFormat allowJmsType:b=false allowUnmarshallType:b=false autoDiscoverObjectMapper:b=false autoDiscoverSchemaResolver:b=true collectionType:s contentTypeFormat:native|json=native contentTypeHeader:b=true disableFeatures:s enableFeatures:s id:s include:s instanceClass:s jsonView:s library:GoogleProtobuf|Jackson=GoogleProtobuf moduleClassNames:s moduleRefs:s objectMapper:s schemaResolver:s timezone:s unmarshalType:s useDefaultObjectMapper:b=true useList:b=false
RssDataFormat id:s
SmooksDataFormat allowExternalEntities:b=false id:s smooksConfig:s!
SoapDataFormat"contextPath contextPath:s! elementNameStrategy:s encoding:s id:s ignoreUnmarshalledHeaders:b=false namespacePrefix:s schema:s version:1.1|1.2=1.1
SwiftMtDataFormat id:s writeInJson:b=false
SwiftMxDataFormat id:s readConfig:s readMessageId:s writeConfig:s writeInJson:b=false
SyslogDataFormat id:s
TarFileDataFormat allowEmptyDirectory:b=false id:s maxDecompressedSize:n=1073741824 preservePathElements:b=false usingIterator:b=false
ThriftDataFormat contentTypeFormat:binary|json|sjson=binary contentTypeHeader:b=true id:s instanceClass:s
UniVocityCsvDataFormat asMap:b=false comment:s=%23 delimiter:s=%2C emptyValue:s headerExtractionEnabled:b=false headersDisabled:b=false id:s ignoreLeadingWhitespaces:b=true ignoreTrailingWhitespaces:b=true lazyLoad:b=false lineSeparator:s normalizedLineSeparator:s nullValue:s numberOfRecordsToRead:n quote:s=%22 quoteAllFields:b=false quoteEscape:s=%22 skipEmptyLines:b=true univocityHeader:@UniVocityHeader*
UniVocityFixedDataFormat asMap:b=false comment:s=%23 emptyValue:s headerExtractionEnabled:b=false headersDisabled:b=false id:s ignoreLeadingWhitespaces:b=true ignoreTrailingWhitespaces:b=true lazyLoad:b=false lineSeparator:s normalizedLineSeparator:s nullValue:s numberOfRecordsToRead:n padding:s recordEndsOnNewline:b=false skipEmptyLines:b=true skipTrailingCharsUntilNewline:b=false univocityHeader:@UniVocityHeader*
UniVocityHeader length:s name:s
UniVocityTsvDataFormat asMap:b=false comment:s=%23 emptyValue:s escapeChar:s=%5C headerExtractionEnabled:b=false headersDisabled:b=false id:s ignoreLeadingWhitespaces:b=true ignoreTrailingWhitespaces:b=true lazyLoad:b=false lineSeparator:s normalizedLineSeparator:s nullValue:s numberOfRecordsToRead:n skipEmptyLines:b=true univocityHeader:@UniVocityHeader*
XMLSecurityDataFormat addKeyValueForEncryptedKey:b=true digestAlgorithm:SHA1|SHA256|SHA512=SHA1 id:s keyCipherAlgorithm:RSA_v1dot5|RSA_OAEP|RSA_OAEP_11=RSA_OAEP keyOrTrustStoreParameters:s keyPassword:s mgfAlgorithm:MGF1_SHA1|MGF1_SHA256|MGF1_SHA512=MGF1_SHA1 namespace:s passPhrase:s passPhraseByte:s recipientKeyAlias:s secureTag:s secureTagContents:b=false xmlCipherAlgorithm:TRIPLEDES|AES_128|AES_128_GCM|AES_192|AES_192_GCM|AES_256|AES_256_GCM|SEED_128|CAMELLIA_128|CAMELLIA_192|CAMELLIA_256=AES-256-GCM
YAMLDataFormat allowAnyType:b=false allowRecursiveKeys:b=false constructor:s dumperOptions:s id:s library:SnakeYAML=SnakeYAML maxAliasesForCollections:n=50 prettyFlow:b=false representer:s resolver:s typeFilter:s unmarshalType:s useApplicationContextClassLoader:b=true
ZipDeflaterDataFormat compressionLevel:-1|0|1|2|3|4|5|6|7|8|9=-1 id:s
ZipFileDataFormat allowEmptyDirectory:b=false id:s maxDecompressedSize:n=1073741824 preservePathElements:b=false usingIterator:b=false
DeadLetterChannel deadLetterHandleNewException:b=true deadLetterUri:s! executorServiceRef:s id:s level:TRACE|DEBUG|INFO|WARN|ERROR|OFF=ERROR logName:s loggerRef:s onExceptionOccurredRef:s onPrepareFailureRef:s onRedeliveryRef:s redeliveryPolicy:@RedeliveryPolicy redeliveryPolicyRef:s retryWhileRef:s useOriginalBody:b=false useOriginalMessage:b=false
DefaultErrorHandler executorServiceRef:s id:s level:TRACE|DEBUG|INFO|WARN|ERROR|OFF=ERROR logName:s loggerRef:s onExceptionOccurredRef:s onPrepareFailureRef:s onRedeliveryRef:s redeliveryPolicy:@RedeliveryPolicy redeliveryPolicyRef:s retryWhileRef:s useOriginalBody:b=false useOriginalMessage:b=false
JtaTransactionErrorHandler executorServiceRef:s id:s level:TRACE|DEBUG|INFO|WARN|ERROR|OFF=ERROR logName:s loggerRef:s onExceptionOccurredRef:s onPrepareFailureRef:s onRedeliveryRef:s redeliveryPolicy:@RedeliveryPolicy redeliveryPolicyRef:s retryWhileRef:s rollbackLoggingLevel:TRACE|DEBUG|INFO|WARN|ERROR|OFF=WARN transactedPolicyRef:s useOriginalBody:b=false useOriginalMessage:b=false
NoErrorHandler id:s
RefErrorHandler"ref id:s ref:s!
SpringTransactionErrorHandler executorServiceRef:s id:s level:TRACE|DEBUG|INFO|WARN|ERROR|OFF=ERROR logName:s loggerRef:s onExceptionOccurredRef:s onPrepareFailureRef:s onRedeliveryRef:s redeliveryPolicy:@RedeliveryPolicy redeliveryPolicyRef:s retryWhileRef:s rollbackLoggingLevel:TRACE|DEBUG|INFO|WARN|ERROR|OFF=WARN transactedPolicyRef:s useOriginalBody:b=false useOriginalMessage:b=false
CSimpleExpression"expression expression:s! id:s pretty:b=false resultType:s trim:b=true trimResult:b=false
ConstantExpression"expression expression:s! id:s resultType:s trim:b=true
DatasonnetExpression"expression bodyMediaType:s expression:s! id:s outputMediaType:s resultType:s source:s trim:b=true
ExchangePropertyExpression"expression expression:s! id:s trim:b=true
Expression~
GroovyExpression"expression expression:s! id:s resultType:s trim:b=true
HeaderExpression"expression expression:s! id:s trim:b=true
Hl7TerserExpression"expression expression:s! id:s resultType:s source:s trim:b=true
JactlExpression"expression expression:s! id:s resultType:s trim:b=true
JavaExpression"expression expression:s! id:s preCompile:b=true resultType:s singleQuotes:b=true trim:b=true
JavaScriptExpression"expression expression:s! id:s resultType:s trim:b=true
JoorExpression"expression expression:s! id:s preCompile:b=true resultType:s singleQuotes:b=true trim:b=true
JqExpression"expression expression:s! id:s resultType:s source:s trim:b=true
JsonPathExpression"expression allowEasyPredicate:b=true allowSimple:b=true expression:s! id:s option:DEFAULT_PATH_LEAF_TO_NULL|ALWAYS_RETURN_LIST|AS_PATH_LIST|SUPPRESS_EXCEPTIONS|REQUIRE_PROPERTIES resultType:s source:s suppressExceptions:b=false trim:b=true unpackArray:b=false writeAsString:b=false
LanguageExpression expression:s! id:s language:s! trim:b=true
MethodCallExpression"ref beanType:s id:s method:s ref:s resultType:s scope:Singleton|Request|Prototype=Singleton trim:b=true validate:b=true
MvelExpression"expression expression:s! id:s resultType:s trim:b=true
OgnlExpression"expression expression:s! id:s resultType:s trim:b=true
PythonExpression"expression expression:s! id:s resultType:s trim:b=true
RefExpression"expression expression:s! id:s resultType:s trim:b=true
SimpleExpression"expression expression:s! id:s nested:b=false pretty:b=false resultType:s trim:b=true trimResult:b=false
SpELExpression"expression expression:s! id:s resultType:s trim:b=true
TokenizerExpression"token endToken:s group:s groupDelimiter:s id:s includeTokens:b=false inheritNamespaceTagName:s regex:b=false resultType:s skipFirst:b=false source:s token:s! trim:b=true xml:b=false
VariableExpression"expression expression:s! id:s trim:b=true
WasmExpression"expression expression:s! id:s module:s! resultType:s trim:b=true
XMLTokenizerExpression"expression expression:s! group:n id:s mode:i|w|u|t=i namespace:@Property* resultType:s source:s trim:b=true
XPathExpression"expression documentType:s expression:s! factoryRef:s id:s logNamespaces:b=false namespace:@Property* objectModel:s preCompile:b=true resultQName:NUMBER|STRING|BOOLEAN|NODESET|NODE=NODESET resultType:s saxon:b=false source:s threadSafety:b=false trim:b=true
XQueryExpression"expression configurationRef:s expression:s! id:s namespace:@Property* resultType:s source:s trim:b=true
CustomLoadBalancer"ref id:s ref:s!
FailoverLoadBalancer exception:s* id:s maximumFailoverAttempts:s=-1 roundRobin:b=false sticky:b=false
RandomLoadBalancer id:s
RoundRobinLoadBalancer id:s
StickyLoadBalancer correlationExpression:x id:s
TopicLoadBalancer id:s
WeightedLoadBalancer distributionRatio:s! distributionRatioDelimiter:s=%2C id:s roundRobin:b=false
ApiKey description:s inCookie:b=false inHeader:b=false inQuery:b=false key:s! name:s!
BasicAuth description:s key:s!
BearerToken description:s format:s key:s!
Delete apiDocs:b=true bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false consumes:s deprecated:b=false description:s disabled:b=false enableCORS:b=false enableNoContentResponse:b=false id:s note:s outType:s param:@Param* path:s produces:s responseMessage:@ResponseMessage* routeId:s security:@Security* skipBindingOnErrorCode:b=false streamCache:b=false to:@To! type:s authentication:required|none=required
Get apiDocs:b=true bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false consumes:s deprecated:b=false description:s disabled:b=false enableCORS:b=false enableNoContentResponse:b=false id:s note:s outType:s param:@Param* path:s produces:s responseMessage:@ResponseMessage* routeId:s security:@Security* skipBindingOnErrorCode:b=false streamCache:b=false to:@To! type:s authentication:required|none=required
Head apiDocs:b=true bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false consumes:s deprecated:b=false description:s disabled:b=false enableCORS:b=false enableNoContentResponse:b=false id:s note:s outType:s param:@Param* path:s produces:s responseMessage:@ResponseMessage* routeId:s security:@Security* skipBindingOnErrorCode:b=false streamCache:b=false to:@To! type:s authentication:required|none=required
MutualTLS description:s key:s!
OAuth2 authorizationUrl:s description:s flow:implicit|password|application|clientCredentials|accessCode|authorizationCode key:s! refreshUrl:s scopes:@RestProperty* tokenUrl:s
OpenApi apiContextPath:s description:s disabled:b=false id:s missingOperation:fail|ignore|mock=fail mockIncludePattern:s=classpath%3Acamel-mock%2F** note:s routeId:s specification:s!
OpenIdConnect description:s key:s! url:s!
Param allowableValues:@Value* arrayType:s=string collectionFormat:csv|multi|pipes|ssv|tsv=csv dataFormat:s dataType:s=string defaultValue:s description:s examples:@RestProperty* name:s! required:b=true type:body|formData|header|path|query!=path
Patch apiDocs:b=true bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false consumes:s deprecated:b=false description:s disabled:b=false enableCORS:b=false enableNoContentResponse:b=false id:s note:s outType:s param:@Param* path:s produces:s responseMessage:@ResponseMessage* routeId:s security:@Security* skipBindingOnErrorCode:b=false streamCache:b=false to:@To! type:s authentication:required|none=required
Post apiDocs:b=true bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false consumes:s deprecated:b=false description:s disabled:b=false enableCORS:b=false enableNoContentResponse:b=false id:s note:s outType:s param:@Param* path:s produces:s responseMessage:@ResponseMessage* routeId:s security:@Security* skipBindingOnErrorCode:b=false streamCache:b=false to:@To! type:s authentication:required|none=required
Put apiDocs:b=true bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false consumes:s deprecated:b=false description:s disabled:b=false enableCORS:b=false enableNoContentResponse:b=false id:s note:s outType:s param:@Param* path:s produces:s responseMessage:@ResponseMessage* routeId:s security:@Security* skipBindingOnErrorCode:b=false streamCache:b=false to:@To! type:s authentication:required|none=required
ResponseHeader allowableValues:@Value* arrayType:s=string collectionFormat:csv|multi|pipes|ssv|tsv=csv dataFormat:s dataType:s=string description:s example:s name:s!
ResponseMessage code:s=200 contentType:s examples:@RestProperty* header:@ResponseHeader* message:s! responseModel:s
RestBinding bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false component:s consumes:s description:s enableCORS:b=false enableNoContentResponse:b=false id:s note:s outType:s produces:s skipBindingOnErrorCode:b=false type:s
RestConfiguration apiComponent:openapi|swagger apiContextPath:s apiContextRouteId:s apiHost:s apiProperty:@RestProperty* apiVendorExtension:b=false bindingMode:auto|json|json_xml|off|xml=off bindingPackageScan:s clientRequestValidation:b=false clientResponseValidation:b=false component:platform-http|servlet|jetty|undertow|netty-http|coap componentProperty:@RestProperty* consumerProperty:@RestProperty* contextPath:s corsHeaders:@RestProperty* dataFormatProperty:@RestProperty* enableCORS:b=false enableNoContentResponse:b=false endpointProperty:@RestProperty* host:s hostNameResolver:allLocalIp|localHostName|localIp|none=allLocalIp inlineRoutes:b=true jsonDataFormat:jackson|jsonb|fastjson|gson=jackson port:s producerApiDoc:s producerComponent:vertx-http|http|undertow|netty-http scheme:s skipBindingOnErrorCode:b=false useXForwardHeaders:b=false validationLevels:@RestProperty* xmlDataFormat:jaxb|jacksonXml=jaxb
Rest apiDocs:b=true bindingMode:off|auto|json|xml|json_xml=off clientRequestValidation:b=false clientResponseValidation:b=false consumes:s delete:@Delete* description:s disabled:b=false enableCORS:b=false enableNoContentResponse:b=false get:@Get* head:@Head* id:s note:s openApi:@OpenApi patch:@Patch* path:s post:@Post* produces:s put:@Put* securityDefinitions:@RestSecurities securityRequirements:@Security* skipBindingOnErrorCode:b=false tag:s authentication:required|none=required
RestProperty key:s! value:s!
RestSecurities apiKey:@ApiKey basicAuth:@BasicAuth bearerToken:@BearerToken mutualTLS:@MutualTLS oauth2:@OAuth2 openIdConnect:@OpenIdConnect
Security key:s! scopes:s
LangChain4jCharacterTokenizer id:s maxOverlap:n! maxTokens:n! modelName:s tokenizerType:OPEN_AI|AZURE|QWEN!
LangChain4jLineTokenizer id:s maxOverlap:n! maxTokens:n! modelName:s tokenizerType:OPEN_AI|AZURE|QWEN!
LangChain4jParagraphTokenizer id:s maxOverlap:n! maxTokens:n! modelName:s tokenizerType:OPEN_AI|AZURE|QWEN!
LangChain4jSentenceTokenizer id:s maxOverlap:n! maxTokens:n! modelName:s tokenizerType:OPEN_AI|AZURE|QWEN!
LangChain4jTokenizer id:s maxOverlap:n! maxTokens:n! modelName:s tokenizerType:OPEN_AI|AZURE|QWEN!
LangChain4jWordTokenizer id:s maxOverlap:n! maxTokens:n! modelName:s tokenizerType:OPEN_AI|AZURE|QWEN!
CustomTransformer className:s fromType:s name:s ref:s scheme:s toType:s
DataFormatTransformer fromType:s name:s scheme:s toType:s asn1:?@ASN1DataFormat avro:?@AvroDataFormat barcode:?@BarcodeDataFormat base64:?@Base64DataFormat beanio:?@BeanioDataFormat bindy:?@BindyDataFormat cbor:?@CBORDataFormat crypto:?@CryptoDataFormat csv:?@CsvDataFormat custom:?@CustomDataFormat dfdl:?@DfdlDataFormat fhirJson:?@FhirJsonDataFormat fhirXml:?@FhirXmlDataFormat flatpack:?@FlatpackDataFormat fory:?@ForyDataFormat grok:?@GrokDataFormat groovyJson:?@GroovyJSonDataFormat groovyXml:?@GroovyXmlDataFormat gzipDeflater:?@GzipDeflaterDataFormat hl7:?@HL7DataFormat ical:?@IcalDataFormat iso8583:?@Iso8583DataFormat jacksonXml:?@JacksonXMLDataFormat jaxb:?@JaxbDataFormat json:?@JsonDataFormat jsonApi:?@JsonApiDataFormat lzf:?@LZFDataFormat mimeMultipart:?@MimeMultipartDataFormat ocsf:?@OcsfDataFormat parquetAvro:?@ParquetAvroDataFormat pgp:?@PGPDataFormat pqc:?@PQCDataFormat protobuf:?@ProtobufDataFormat rss:?@RssDataFormat smooks:?@SmooksDataFormat soap:?@SoapDataFormat swiftMt:?@SwiftMtDataFormat swiftMx:?@SwiftMxDataFormat syslog:?@SyslogDataFormat tarFile:?@TarFileDataFormat thrift:?@ThriftDataFormat univocityCsv:?@UniVocityCsvDataFormat univocityFixed:?@UniVocityFixedDataFormat univocityTsv:?@UniVocityTsvDataFormat xmlSecurity:?@XMLSecurityDataFormat yaml:?@YAMLDataFormat zipDeflater:?@ZipDeflaterDataFormat zipFile:?@ZipFileDataFormat
EndpointTransformer fromType:s name:s ref:s scheme:s toType:s uri:s
LoadTransformer defaults:b=false fromType:s name:s packageScan:s scheme:s toType:s
Transformers customTransformer:@CustomTransformer dataFormatTransformer:@DataFormatTransformer endpointTransformer:@EndpointTransformer loadTransformer:@LoadTransformer
CustomValidator className:s ref:s type:s
EndpointValidator ref:s type:s uri:s
PredicateValidator type:s
Validators customValidator:@CustomValidator endpointValidator:@EndpointValidator predicateValidator:@PredicateValidator
BlacklistServiceCallServiceFilterConfiguration id:s properties:@Property* servers:s*
CachingServiceCallServiceDiscoveryConfiguration id:s properties:@Property* timeout:n=60 units:NANOSECONDS|MICROSECONDS|MILLISECONDS|SECONDS|MINUTES|HOURS|DAYS=SECONDS combinedServiceDiscovery:?@CombinedServiceCallServiceDiscoveryConfiguration consulServiceDiscovery:?@ConsulServiceCallServiceDiscoveryConfiguration dnsServiceDiscovery:?@DnsServiceCallServiceDiscoveryConfiguration kubernetesServiceDiscovery:?@KubernetesServiceCallServiceDiscoveryConfiguration staticServiceDiscovery:?@StaticServiceCallServiceDiscoveryConfiguration
CombinedServiceCallServiceDiscoveryConfiguration cachingServiceDiscovery:@CachingServiceCallServiceDiscoveryConfiguration consulServiceDiscovery:@ConsulServiceCallServiceDiscoveryConfiguration dnsServiceDiscovery:@DnsServiceCallServiceDiscoveryConfiguration id:s kubernetesServiceDiscovery:@KubernetesServiceCallServiceDiscoveryConfiguration properties:@Property* staticServiceDiscovery:@StaticServiceCallServiceDiscoveryConfiguration
CombinedServiceCallServiceFilterConfiguration blacklistServiceFilter:@BlacklistServiceCallServiceFilterConfiguration customServiceFilter:@CustomServiceCallServiceFilterConfiguration healthyServiceFilter:@HealthyServiceCallServiceFilterConfiguration id:s passThroughServiceFilter:@PassThroughServiceCallServiceFilterConfiguration properties:@Property*
ConsulServiceCallServiceDiscoveryConfiguration aclToken:s blockSeconds:n=10 connectTimeoutMillis:n datacenter:s id:s password:s properties:@Property* readTimeoutMillis:n url:s userName:s writeTimeoutMillis:n
CustomServiceCallServiceFilterConfiguration id:s properties:@Property* ref:s
DefaultServiceCallServiceLoadBalancerConfiguration id:s properties:@Property*
DnsServiceCallServiceDiscoveryConfiguration domain:s id:s properties:@Property* proto:s=_tcp
HealthyServiceCallServiceFilterConfiguration id:s properties:@Property*
KubernetesServiceCallServiceDiscoveryConfiguration apiVersion:s caCertData:s caCertFile:s clientCertData:s clientCertFile:s clientKeyAlgo:s clientKeyData:s clientKeyFile:s clientKeyPassphrase:s dnsDomain:s id:s lookup:environment|dns|client=environment masterUrl:s namespace:s oauthToken:s password:s portName:s portProtocol:s properties:@Property* trustCerts:b=false username:s
PassThroughServiceCallServiceFilterConfiguration id:s properties:@Property*
ServiceCallConfiguration component:s=http expressionRef:s id:s loadBalancerRef:s pattern:InOnly|InOut serviceChooserRef:s serviceDiscoveryRef:s serviceFilterRef:s uri:s blacklistServiceFilter:?@BlacklistServiceCallServiceFilterConfiguration combinedServiceFilter:?@CombinedServiceCallServiceFilterConfiguration customServiceFilter:?@CustomServiceCallServiceFilterConfiguration healthyServiceFilter:?@HealthyServiceCallServiceFilterConfiguration passThroughServiceFilter:?@PassThroughServiceCallServiceFilterConfiguration cachingServiceDiscovery:?@CachingServiceCallServiceDiscoveryConfiguration combinedServiceDiscovery:?@CombinedServiceCallServiceDiscoveryConfiguration consulServiceDiscovery:?@ConsulServiceCallServiceDiscoveryConfiguration dnsServiceDiscovery:?@DnsServiceCallServiceDiscoveryConfiguration kubernetesServiceDiscovery:?@KubernetesServiceCallServiceDiscoveryConfiguration staticServiceDiscovery:?@StaticServiceCallServiceDiscoveryConfiguration zookeeperServiceDiscovery:?@ZooKeeperServiceCallServiceDiscoveryConfiguration defaultLoadBalancer:?@DefaultServiceCallServiceLoadBalancerConfiguration
ServiceCall"name component:s=http configurationRef:s description:s disabled:b=false expressionRef:s id:s loadBalancerRef:s name:s! note:s pattern:InOnly|InOut serviceChooserRef:s serviceDiscoveryRef:s serviceFilterRef:s uri:s blacklistServiceFilter:?@BlacklistServiceCallServiceFilterConfiguration combinedServiceFilter:?@CombinedServiceCallServiceFilterConfiguration customServiceFilter:?@CustomServiceCallServiceFilterConfiguration healthyServiceFilter:?@HealthyServiceCallServiceFilterConfiguration passThroughServiceFilter:?@PassThroughServiceCallServiceFilterConfiguration cachingServiceDiscovery:?@CachingServiceCallServiceDiscoveryConfiguration combinedServiceDiscovery:?@CombinedServiceCallServiceDiscoveryConfiguration consulServiceDiscovery:?@ConsulServiceCallServiceDiscoveryConfiguration dnsServiceDiscovery:?@DnsServiceCallServiceDiscoveryConfiguration kubernetesServiceDiscovery:?@KubernetesServiceCallServiceDiscoveryConfiguration staticServiceDiscovery:?@StaticServiceCallServiceDiscoveryConfiguration zookeeperServiceDiscovery:?@ZooKeeperServiceCallServiceDiscoveryConfiguration defaultLoadBalancer:?@DefaultServiceCallServiceLoadBalancerConfiguration
ServiceCallExpressionConfiguration expressionType:x hostHeader:s=CamelServiceCallServiceHost id:s portHeader:s=CamelServiceCallServicePort properties:@Property*
ServiceCallServiceChooserConfiguration id:s properties:@Property*
ServiceCallServiceDiscoveryConfiguration id:s properties:@Property*
ServiceCallServiceFilterConfiguration id:s properties:@Property*
ServiceCallServiceLoadBalancerConfiguration id:s properties:@Property*
StaticServiceCallServiceDiscoveryConfiguration id:s properties:@Property* servers:s*
ZooKeeperServiceCallServiceDiscoveryConfiguration basePath:s! connectionTimeout:s id:s namespace:s nodes:s! properties:@Property* reconnectBaseSleepTime:s reconnectMaxRetries:s reconnectMaxSleepTime:s sessionTimeout:s
`;

/** The steps, by name, with their elements. */
export const STEPS = `
a2aSubTask=A2ASubTask aggregate=Aggregate bean=Bean doCatch=Catch choice=Choice circuitBreaker=CircuitBreaker claimCheck=ClaimCheck convertBodyTo=ConvertBody
convertHeaderTo=ConvertHeader convertVariableTo=ConvertVariable delay=Delay dynamicRouter=DynamicRouter enrich=Enrich filter=Filter doFinally=Finally
idempotentConsumer=IdempotentConsumer kamelet=Kamelet loadBalance=LoadBalance log=Log loop=Loop marshal=Marshal multicast=Multicast pausable=Pausable
pipeline=Pipeline policy=Policy poll=Poll pollEnrich=PollEnrich process=Process recipientList=RecipientList removeHeader=RemoveHeader
removeHeaders=RemoveHeaders removeProperties=RemoveProperties removeProperty=RemoveProperty removeVariable=RemoveVariable resequence=Resequence
resumable=Resumable rollback=Rollback routingSlip=RoutingSlip saga=Saga sample=Sampling script=Script setBody=SetBody setExchangePattern=SetExchangePattern
setHeader=SetHeader setHeaders=SetHeaders setProperty=SetProperty setVariable=SetVariable setVariables=SetVariables sort=Sort split=Split step=Step stop=Stop
threads=Threads throttle=Throttle throwException=ThrowException to=To toD=ToDynamic tokenizer=Tokenizer transacted=Transacted
transformDataType=TransformDataType transform=Transform doTry=Try unmarshal=Unmarshal validate=Validate wireTap=WireTap serviceCall=ServiceCall
`;

/** The languages of expressions. */
export const LANGUAGES = `
constant=ConstantExpression csimple=CSimpleExpression datasonnet=DatasonnetExpression exchangeProperty=ExchangePropertyExpression groovy=GroovyExpression
header=HeaderExpression hl7terser=Hl7TerserExpression jactl=JactlExpression java=JavaExpression joor=JoorExpression jq=JqExpression js=JavaScriptExpression
jsonpath=JsonPathExpression language=LanguageExpression method=MethodCallExpression mvel=MvelExpression ognl=OgnlExpression python=PythonExpression
ref=RefExpression simple=SimpleExpression spel=SpELExpression tokenize=TokenizerExpression variable=VariableExpression wasm=WasmExpression
xpath=XPathExpression xquery=XQueryExpression xtokenize=XMLTokenizerExpression
`;
