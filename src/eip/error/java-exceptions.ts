/** Java's and Camel's exceptions that routes name, by their superclass. Beside those of the JDK and Camel, those of libraries that Camel's components are known to throw. */
const SUBCLASSES: Readonly<Record<string, string>> = {
  'com.fasterxml.jackson.core.JacksonException': 'com.fasterxml.jackson.core.JsonProcessingException',
  'com.fasterxml.jackson.core.JsonProcessingException': `
    com.fasterxml.jackson.core.exc.StreamReadException com.fasterxml.jackson.databind.DatabindException`,
  'com.fasterxml.jackson.core.exc.StreamReadException': 'com.fasterxml.jackson.core.JsonParseException',
  'com.fasterxml.jackson.databind.DatabindException': 'com.fasterxml.jackson.databind.JsonMappingException',
  'com.fasterxml.jackson.databind.JsonMappingException': 'com.fasterxml.jackson.databind.exc.MismatchedInputException',
  'com.fasterxml.jackson.databind.exc.MismatchedInputException': `
    com.fasterxml.jackson.databind.exc.InvalidFormatException com.fasterxml.jackson.databind.exc.PropertyBindingException`,
  'com.fasterxml.jackson.databind.exc.PropertyBindingException':
    'com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException',
  'com.jayway.jsonpath.InvalidPathException': 'com.jayway.jsonpath.PathNotFoundException',
  'com.jayway.jsonpath.JsonPathException':
    'com.jayway.jsonpath.InvalidJsonException com.jayway.jsonpath.InvalidPathException',
  'java.io.IOException': `
    com.fasterxml.jackson.core.JacksonException java.io.CharConversionException java.io.EOFException java.io.FileNotFoundException
    java.io.InterruptedIOException java.io.ObjectStreamException java.io.UTFDataFormatException java.io.UnsupportedEncodingException
    java.net.HttpRetryException java.net.MalformedURLException java.net.ProtocolException java.net.SocketException java.net.UnknownHostException
    java.net.UnknownServiceException java.nio.charset.CharacterCodingException java.nio.file.FileSystemException
    java.util.InvalidPropertiesFormatException java.util.zip.ZipException javax.net.ssl.SSLException org.apache.camel.NoFactoryAvailableException
    org.apache.camel.xml.io.util.XmlStreamReaderException org.apache.hc.client5.http.ClientProtocolException
    org.apache.hc.core5.http.ConnectionClosedException org.apache.hc.core5.http.NoHttpResponseException`,
  'java.io.InterruptedIOException': `
    java.net.SocketTimeoutException org.apache.hc.core5.http.ConnectionRequestTimeoutException`,
  'java.io.ObjectStreamException': 'java.io.NotSerializableException',
  'java.lang.Error': `
    java.io.IOError java.lang.AssertionError java.lang.LinkageError java.lang.VirtualMachineError javax.xml.validation.SchemaFactoryConfigurationError`,
  'java.lang.Exception': `
    jakarta.jms.JMSException java.io.IOException java.lang.CloneNotSupportedException java.lang.InterruptedException
    java.lang.ReflectiveOperationException java.lang.RuntimeException java.net.URISyntaxException java.security.GeneralSecurityException
    java.security.PrivilegedActionException java.sql.SQLException java.text.ParseException java.util.TooManyListenersException
    java.util.concurrent.BrokenBarrierException java.util.concurrent.ExecutionException java.util.concurrent.TimeoutException
    java.util.zip.DataFormatException javax.jcr.RepositoryException javax.naming.NamingException javax.xml.parsers.ParserConfigurationException javax.xml.stream.XMLStreamException
    javax.xml.transform.TransformerException javax.xml.xpath.XPathException org.apache.camel.CamelException
    org.apache.camel.VetoCamelContextStartException org.apache.camel.util.json.DeserializationException org.apache.camel.xml.io.XmlPullParserException
    org.xml.sax.SAXException`,
  'java.lang.IllegalArgumentException': `
    java.lang.IllegalThreadStateException java.lang.NumberFormatException java.nio.charset.UnsupportedCharsetException
    java.nio.file.InvalidPathException java.nio.file.ProviderMismatchException java.security.InvalidParameterException
    java.util.IllegalFormatException java.util.regex.PatternSyntaxException org.apache.camel.language.simple.SimpleAssertionException`,
  'java.lang.IllegalStateException': `
    io.github.resilience4j.core.exception.AcquirePermissionCancelledException java.nio.InvalidMarkException
    java.nio.file.ClosedDirectoryStreamException java.nio.file.ClosedFileSystemException java.nio.file.ClosedWatchServiceException
    java.util.FormatterClosedException java.util.concurrent.CancellationException`,
  'java.lang.IncompatibleClassChangeError': `
    java.lang.AbstractMethodError java.lang.IllegalAccessError java.lang.InstantiationError java.lang.NoSuchFieldError java.lang.NoSuchMethodError`,
  'java.lang.IndexOutOfBoundsException':
    'java.lang.ArrayIndexOutOfBoundsException java.lang.StringIndexOutOfBoundsException',
  'java.lang.LinkageError':
    'java.lang.IncompatibleClassChangeError java.lang.NoClassDefFoundError java.lang.UnsatisfiedLinkError',
  'java.lang.ReflectiveOperationException': `
    java.lang.ClassNotFoundException java.lang.IllegalAccessException java.lang.InstantiationException java.lang.NoSuchFieldException
    java.lang.NoSuchMethodException java.lang.reflect.InvocationTargetException`,
  'java.lang.RuntimeException': `
    com.jayway.jsonpath.JsonPathException io.github.resilience4j.bulkhead.BulkheadFullException
    io.github.resilience4j.circuitbreaker.CallNotPermittedException io.github.resilience4j.circuitbreaker.IllegalStateTransitionException
    io.github.resilience4j.circuitbreaker.ResultRecordedAsFailureException io.github.resilience4j.core.ConfigurationNotFoundException
    io.github.resilience4j.core.InstantiationException java.io.UncheckedIOException java.lang.ArithmeticException java.lang.ArrayStoreException
    java.lang.ClassCastException java.lang.EnumConstantNotPresentException java.lang.IllegalArgumentException java.lang.IllegalCallerException
    java.lang.IllegalMonitorStateException java.lang.IllegalStateException java.lang.IndexOutOfBoundsException java.lang.LayerInstantiationException
    java.lang.NegativeArraySizeException java.lang.NullPointerException java.lang.SecurityException java.lang.TypeNotPresentException
    java.lang.UnsupportedOperationException java.lang.reflect.InaccessibleObjectException java.lang.reflect.MalformedParameterizedTypeException
    java.lang.reflect.MalformedParametersException java.lang.reflect.UndeclaredThrowableException java.nio.BufferOverflowException
    java.nio.BufferUnderflowException java.nio.file.FileSystemAlreadyExistsException java.nio.file.FileSystemNotFoundException
    java.nio.file.ProviderNotFoundException java.security.ProviderException java.time.DateTimeException java.util.ConcurrentModificationException
    java.util.EmptyStackException java.util.IllformedLocaleException java.util.MissingResourceException java.util.NoSuchElementException
    java.util.concurrent.CompletionException java.util.concurrent.RejectedExecutionException org.apache.camel.RuntimeCamelException
    org.apache.camel.support.task.TaskRunFailureException org.apache.camel.xml.io.XmlPullParserLocationException
    org.camunda.bpm.engine.ProcessEngineException org.springframework.core.NestedRuntimeException`,
  'java.lang.SecurityException': 'java.security.AccessControlException',
  'java.lang.Throwable': 'java.lang.Error java.lang.Exception',
  'java.lang.UnsupportedOperationException':
    'java.nio.ReadOnlyBufferException java.nio.file.ReadOnlyFileSystemException',
  'java.lang.VirtualMachineError':
    'java.lang.InternalError java.lang.OutOfMemoryError java.lang.StackOverflowError java.lang.UnknownError',
  'java.net.ConnectException': 'org.apache.hc.client5.http.HttpHostConnectException',
  'java.net.SocketException':
    'java.net.BindException java.net.ConnectException java.net.NoRouteToHostException java.net.PortUnreachableException',
  'java.net.SocketTimeoutException': 'org.apache.hc.client5.http.ConnectTimeoutException',
  'java.nio.charset.CharacterCodingException':
    'java.nio.charset.MalformedInputException java.nio.charset.UnmappableCharacterException',
  'java.nio.file.FileSystemException': `
    java.nio.file.AccessDeniedException java.nio.file.AtomicMoveNotSupportedException java.nio.file.DirectoryNotEmptyException
    java.nio.file.FileAlreadyExistsException java.nio.file.FileSystemLoopException java.nio.file.NoSuchFileException
    java.nio.file.NotDirectoryException java.nio.file.NotLinkException`,
  'java.security.GeneralSecurityException': `
    java.security.DigestException java.security.InvalidAlgorithmParameterException java.security.KeyException java.security.KeyStoreException
    java.security.NoSuchAlgorithmException java.security.NoSuchProviderException java.security.SignatureException
    java.security.UnrecoverableEntryException`,
  'java.security.KeyException': 'java.security.InvalidKeyException java.security.KeyManagementException',
  'java.security.UnrecoverableEntryException': 'java.security.UnrecoverableKeyException',
  'java.sql.SQLException': `
    java.sql.BatchUpdateException java.sql.SQLClientInfoException java.sql.SQLNonTransientException java.sql.SQLRecoverableException
    java.sql.SQLTransientException`,
  'java.sql.SQLNonTransientException': `
    java.sql.SQLDataException java.sql.SQLFeatureNotSupportedException java.sql.SQLIntegrityConstraintViolationException
    java.sql.SQLInvalidAuthorizationSpecException java.sql.SQLNonTransientConnectionException java.sql.SQLSyntaxErrorException`,
  'java.sql.SQLTransientException':
    'java.sql.SQLTimeoutException java.sql.SQLTransactionRollbackException java.sql.SQLTransientConnectionException',
  'java.time.DateTimeException': 'java.time.format.DateTimeParseException',
  'java.util.ConcurrentModificationException': 'java.nio.file.DirectoryIteratorException',
  'java.util.IllegalFormatException': `
    java.util.DuplicateFormatFlagsException java.util.FormatFlagsConversionMismatchException java.util.IllegalFormatCodePointException
    java.util.IllegalFormatConversionException java.util.IllegalFormatFlagsException java.util.IllegalFormatPrecisionException
    java.util.IllegalFormatWidthException java.util.MissingFormatArgumentException java.util.MissingFormatWidthException
    java.util.UnknownFormatConversionException java.util.UnknownFormatFlagsException`,
  'java.util.NoSuchElementException': 'java.util.InputMismatchException',
  'java.util.concurrent.RejectedExecutionException': 'org.apache.camel.processor.ThrottlerRejectedExecutionException',
  'javax.jcr.RepositoryException': `
    javax.jcr.AccessDeniedException javax.jcr.InvalidItemStateException javax.jcr.ItemExistsException javax.jcr.LoginException
    javax.jcr.PathNotFoundException javax.jcr.lock.LockException javax.jcr.nodetype.ConstraintViolationException javax.jcr.version.VersionException`,
  'javax.naming.NamingException': `
    javax.naming.CommunicationException javax.naming.InvalidNameException javax.naming.NameAlreadyBoundException javax.naming.NameNotFoundException
    javax.naming.NamingSecurityException javax.naming.NoInitialContextException javax.naming.NotContextException
    javax.naming.OperationNotSupportedException javax.naming.ServiceUnavailableException`,
  'javax.naming.NamingSecurityException': `
    javax.naming.AuthenticationException javax.naming.AuthenticationNotSupportedException javax.naming.NoPermissionException`,
  'javax.net.ssl.SSLException': `
    javax.net.ssl.SSLHandshakeException javax.net.ssl.SSLKeyException javax.net.ssl.SSLPeerUnverifiedException javax.net.ssl.SSLProtocolException`,
  'javax.xml.transform.TransformerException': 'javax.xml.transform.TransformerConfigurationException',
  'javax.xml.xpath.XPathException': 'javax.xml.xpath.XPathExpressionException',
  'javax.xml.xpath.XPathExpressionException': 'javax.xml.xpath.XPathFunctionException',
  'org.apache.camel.CamelException': `
    org.apache.camel.CamelExchangeException org.apache.camel.LoadPropertiesException org.apache.camel.NoTypeConversionAvailableException
    org.apache.camel.component.kamelet.FailedToCreateKameletException org.apache.camel.http.base.HttpOperationFailedException`,
  'org.apache.camel.CamelExchangeException': `
    org.apache.camel.CamelAuthorizationException org.apache.camel.CamelUnitOfWorkException org.apache.camel.ExchangeTimedOutException
    org.apache.camel.InvalidPayloadException org.apache.camel.NoSuchHeaderException org.apache.camel.NoSuchHeaderOrPropertyException
    org.apache.camel.NoSuchPropertyException org.apache.camel.NoSuchVariableException org.apache.camel.RollbackExchangeException
    org.apache.camel.ValidationException org.apache.camel.component.direct.DirectConsumerNotAvailableException
    org.apache.camel.component.kamelet.KameletConsumerNotAvailableException org.apache.camel.component.seda.SedaConsumerNotAvailableException
    org.apache.camel.processor.aggregate.ClosedCorrelationKeyException`,
  'org.apache.camel.ExpressionIllegalSyntaxException':
    'org.apache.camel.language.simple.types.SimpleIllegalSyntaxException',
  'org.apache.camel.NoSuchBeanException': 'org.apache.camel.NoSuchBeanTypeException',
  'org.apache.camel.RuntimeCamelException': `
    org.apache.camel.AlreadyStoppedException org.apache.camel.ExpectedBodyTypeException org.apache.camel.ExpressionEvaluationException
    org.apache.camel.ExpressionIllegalSyntaxException org.apache.camel.FailedToCreateConsumerException
    org.apache.camel.FailedToCreateProducerException org.apache.camel.FailedToCreateRouteException
    org.apache.camel.FailedToCreateRouteFromTemplateException org.apache.camel.FailedToStartComponentException
    org.apache.camel.FailedToStartRouteException org.apache.camel.InvalidPropertyException org.apache.camel.NoSuchBeanException
    org.apache.camel.NoSuchEndpointException org.apache.camel.NoSuchLanguageException org.apache.camel.PropertyBindingException
    org.apache.camel.ProxyInstantiationException org.apache.camel.ResolveEndpointFailedException org.apache.camel.RuntimeExchangeException
    org.apache.camel.RuntimeExpressionException org.apache.camel.RuntimeTransformException org.apache.camel.TypeConversionException
    org.apache.camel.TypeConverterExistsException org.apache.camel.TypeConverterLoaderException
    org.apache.camel.component.bean.ParameterBindingException org.apache.camel.component.file.GenericFileOperationFailedException
    org.apache.camel.language.csimple.CSimpleException org.apache.camel.language.simple.types.SimpleParserException
    org.apache.camel.processor.idempotent.NoMessageIdException org.apache.camel.processor.resequencer.MessageRejectedException
    org.apache.camel.processor.resume.NoOffsetException`,
  'org.apache.camel.RuntimeExchangeException': `
    org.apache.camel.CamelExecutionException org.apache.camel.InvalidPayloadRuntimeException
    org.apache.camel.component.bean.AmbiguousMethodCallException org.apache.camel.component.bean.MethodNotFoundException`,
  'org.apache.camel.RuntimeExpressionException': `
    org.apache.camel.language.bean.RuntimeBeanExpressionException org.apache.camel.language.xpath.InvalidXPathException`,
  'org.apache.camel.TypeConversionException': 'org.apache.camel.StreamCacheException',
  'org.apache.camel.ValidationException': `
    org.apache.camel.component.jsonvalidator.JsonValidationException org.apache.camel.support.processor.PredicateValidationException
    org.apache.camel.support.processor.validation.NoXmlBodyValidationException
    org.apache.camel.support.processor.validation.NoXmlHeaderValidationException
    org.apache.camel.support.processor.validation.SchemaValidationException`,
  'org.apache.camel.component.kamelet.FailedToCreateKameletException':
    'org.apache.camel.component.kamelet.KameletNotFoundException',
  'org.camunda.bpm.engine.BadUserRequestException': 'org.camunda.bpm.engine.exception.NotFoundException',
  'org.camunda.bpm.engine.ProcessEngineException': `
    org.camunda.bpm.engine.AuthorizationException org.camunda.bpm.engine.BadUserRequestException org.camunda.bpm.engine.OptimisticLockingException
    org.camunda.bpm.engine.delegate.BpmnError`,
  'org.springframework.core.NestedRuntimeException': 'org.springframework.dao.DataAccessException',
  'org.xml.sax.SAXException':
    'org.xml.sax.SAXNotRecognizedException org.xml.sax.SAXNotSupportedException org.xml.sax.SAXParseException',
};

const SUPERCLASS = new Map<string, string>();
for (const [superclass, names] of Object.entries(SUBCLASSES))
  for (const name of names.trim().split(/\s+/)) SUPERCLASS.set(name, superclass);

const ROOT = 'java.lang.Throwable';

export const isKnownException = (className: string): boolean => className === ROOT || SUPERCLASS.has(className);

/** Known classes of the same simple name: what somebody may have meant. */
export const similarExceptions = (className: string): readonly string[] =>
  [...SUPERCLASS.keys()].filter((name) => simpleName(name) === simpleName(className));

const simpleName = (className: string) => className.slice(className.lastIndexOf('.') + 1).toLowerCase();

/**
 * How many classes `type` is below `className`: 0 where it is that one, 1 for its direct subclass. `undefined`: it is none of its kind.
 * A class that is not known counts as a direct subclass of `java.lang.RuntimeException`.
 */
export function distanceTo(type: string, className: string): number | undefined {
  let distance = 0;
  for (let at: string | undefined = type; at !== undefined; at = superclassOf(at)) {
    if (at === className) return distance;
    distance++;
  }
  return undefined;
}

export const isKindOf = (type: string, className: string): boolean => distanceTo(type, className) !== undefined;

const superclassOf = (type: string) =>
  SUPERCLASS.get(type) ?? (type === ROOT ? undefined : 'java.lang.RuntimeException');
