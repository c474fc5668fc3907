/** A variable's types, spelt as the API spells them. */
export type VariableType = 'String' | 'Long' | 'Integer' | 'Double' | 'Boolean' | 'Date' | 'Json' | 'Null';

/** A typed value. Date: ISO 8601 text, UTC, milliseconds. Long beyond 2^53: text. */
export interface TypedValue {
  readonly type: VariableType;
  readonly value: unknown;
  /** Absent: the type says it all. */
  readonly info?: ValueInfo | undefined;
  /** It is there until its run is over, and then no variable of the instance. */
  readonly transient?: true;
}

/**
 * Facts of a value for Camunda's clients beyond its type: it comes back as it was given. What has it is to models what its type says: an Object in JSON is
 * Json, in another format a String; Xml is a String; Bytes and a File are Strings in Base64; a Short is an Integer. A null of any type is Null.
 */
export interface ValueInfo {
  readonly type: 'Object' | 'Xml' | 'Bytes' | 'File' | 'Short' | Exclude<VariableType, 'Null'>;
  /** Of an Object: its class. */
  readonly objectTypeName?: string;
  /** Of an Object: `application/json`, `application/xml`, `application/x-java-serialized-object`. */
  readonly serializationDataFormat?: string;
  /** Of a File. */
  readonly filename?: string;
  readonly mimeType?: string;
  readonly encoding?: string;
}

export type Variables = Record<string, TypedValue>;
