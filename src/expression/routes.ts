// What routes use of expressions, beside all that others do.
export { type BeanParts, type BeanTarget, beanCall, instanceOf, method, ref, settled } from './bean/bean-call.js';
export { ForeignBean } from './bean/foreign-bean.js';
export { compareValues, containsValue, equalValues } from './conversion/compare.js';
export { asText, convert, convertMandatory, requiredClass, tryConvert } from './conversion/convert.js';
export { iterate, partsOf } from './conversion/iterate.js';
export { isInstance, isStream, JavaClass, javaClass, typeName } from './conversion/java-class.js';
export { textOf } from './conversion/text.js';
export { truthOf } from './conversion/truth.js';
export { Double } from './exchange/double.js';
export {
  type Ending,
  Exchange,
  type ExchangeContext,
  type ExchangeOrigin,
  type ExchangeParts,
  type ExchangePattern,
} from './exchange/exchange.js';
export { failureType } from './exchange/failure.js';
export { Headers } from './exchange/headers.js';
export { JavaPattern } from './exchange/java-pattern.js';
export {
  Asked,
  type Expression as RouteExpression,
  type ExpressionModel,
  type Language,
  type Predicate,
} from './exchange/language.js';
export { namePattern } from './exchange/name-pattern.js';
export { PartMessage } from './exchange/part-message.js';
export { answered, mapped, StreamCache, streamBytes, streamText } from './exchange/stream.js';
export { setVariable, type VariablePlace, variableOf, variablePlace } from './exchange/variable.js';
export type { DataFormat } from './format/data-format.js';
export { dataFormat } from './format/data-formats.js';
export type { FormatModel } from './format/format-options.js';
export * from './index.js';
export { JqFilters, type JqParts, jq } from './jq/jq.js';
export { type JsonpathParts, jsonpath, readPath } from './jsonpath/jsonpath.js';
export { parsePath } from './jsonpath/path-parser.js';
export { type LanguageFinder, languageOf, languagesOf, valueLanguage } from './languages.js';
export { type JsParts, js, RouteScripts } from './script/route-script.js';
export { parseCamelDuration } from './time/camel-duration.js';
export { type XpathParts, xpath } from './xpath/xpath.js';
