import { ON_PARENT_VERSION, type OnParentVersion } from './node-type.js';

/** The flags of node types and items by every spelling of JCR 2.0 §25.2.3.6 to .18, and those of Jackrabbit's older notation. */
export type TypeFlag = 'orderable' | 'mixin' | 'abstract' | 'noQuery' | 'query' | 'primaryItem';
export type ItemFlag =
  | 'autoCreated'
  | 'mandatory'
  | 'protected'
  | 'multiple'
  | 'queryOperators'
  | 'noFullText'
  | 'noQueryOrder'
  | 'sameNameSiblings'
  | 'primary'
  | 'opv';

const TYPE_FLAGS: Readonly<Record<string, TypeFlag>> = {
  orderable: 'orderable',
  ord: 'orderable',
  o: 'orderable',
  mixin: 'mixin',
  mix: 'mixin',
  m: 'mixin',
  abstract: 'abstract',
  abs: 'abstract',
  a: 'abstract',
  noquery: 'noQuery',
  nq: 'noQuery',
  query: 'query',
  q: 'query',
  primaryitem: 'primaryItem',
  '!': 'primaryItem',
};

const ITEM_FLAGS: Readonly<Record<string, ItemFlag>> = {
  autocreated: 'autoCreated',
  aut: 'autoCreated',
  a: 'autoCreated',
  mandatory: 'mandatory',
  man: 'mandatory',
  m: 'mandatory',
  protected: 'protected',
  pro: 'protected',
  p: 'protected',
  opv: 'opv',
  primary: 'primary',
  pri: 'primary',
  '!': 'primary',
};

const PROPERTY_FLAGS: Readonly<Record<string, ItemFlag>> = {
  ...ITEM_FLAGS,
  multiple: 'multiple',
  mul: 'multiple',
  '*': 'multiple',
  queryops: 'queryOperators',
  qop: 'queryOperators',
  nofulltext: 'noFullText',
  nof: 'noFullText',
  noqueryorder: 'noQueryOrder',
  nqord: 'noQueryOrder',
};

const CHILD_FLAGS: Readonly<Record<string, ItemFlag>> = {
  ...ITEM_FLAGS,
  sns: 'sameNameSiblings',
  multiple: 'sameNameSiblings',
  mul: 'sameNameSiblings',
  '*': 'sameNameSiblings',
};

const lookUp = <T>(flags: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(flags, word.toLowerCase()) ? flags[word.toLowerCase()] : undefined;

export const typeFlag = (word: string): TypeFlag | undefined => lookUp(TYPE_FLAGS, word);
export const propertyFlag = (word: string): ItemFlag | undefined => lookUp(PROPERTY_FLAGS, word);
export const childFlag = (word: string): ItemFlag | undefined => lookUp(CHILD_FLAGS, word);

export const onParentVersion = (word: string): OnParentVersion | undefined =>
  ON_PARENT_VERSION.find((action) => action === word.toUpperCase());
