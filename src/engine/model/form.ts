/** The form of a user task or of a start event, as the model says it. */
export interface FormSource {
  /** `camunda:formData`. Absent: there is none. */
  readonly fields?: readonly FormField[];
  /** `camunda:formRef`. Absent: there is none. */
  readonly ref?: FormRef;
}

/** A generated field. */
export interface FormField {
  readonly id: string;
  readonly label: string | null;
  /** string, long, boolean, date, enum; null: any. */
  readonly type: string | null;
  /** Of a date; as Java's SimpleDateFormat has it. */
  readonly datePattern: string | null;
  /** Literal, or an expression. */
  readonly defaultValue: string | null;
  /** Of an enum. */
  readonly values: readonly { readonly id: string; readonly name: string | null }[];
  readonly constraints: readonly { readonly name: string; readonly config: string | null }[];
  readonly properties: readonly { readonly id: string; readonly value: string | null }[];
}

/** A form that is deployed. */
export interface FormRef {
  /** Literal, or an expression. */
  readonly key: string;
  readonly binding: 'latest' | 'deployment' | 'version';
  /** Of the binding `version`: a whole number, or an expression. */
  readonly version: number | string | null;
}
