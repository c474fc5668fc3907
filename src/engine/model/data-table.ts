import { isVariableName } from '../../shared/sound-text.js';
import { flag, idOf, isA, type ModdleElement, many, one, text } from './moddle-element.js';
import type { Node } from './nodes.js';
import { KEPT } from './parser-warnings.js';
import type { DataDeclaration, DataType } from './program.js';
import type { Report } from './report.js';

/** Something of a model that has data: a data object, a data store, a property, an input, an output. */
export interface Data {
  readonly name: string;
  /** The position of the element whose scope has it. */
  readonly scope: number;
  /** Null: it is drawn, and says nothing of what it holds. */
  readonly declared: DataDeclaration | null;
  /** Whether it is an input or output of an activity or event. */
  readonly isEnd: boolean;
}

/** All that has data in a process, by its element: references are what they refer to. */
export type DataTable = ReadonlyMap<ModdleElement, Data>;

/** Finds the data of a process. Stores are the process's, wherever they are drawn. */
export function collectData(nodes: readonly Node[], report: Report): DataTable {
  const table = new Map<ModdleElement, Data>();
  for (const { element, index } of nodes) {
    const add = (found: readonly ModdleElement[], isEnd: boolean) => {
      for (const each of found) table.set(each, dataOf(each, [each], { scope: index, isEnd, report }));
    };
    add(
      many(element, 'properties').filter((each) => isA(each, 'bpmn:Property') && !isPlaceholder(each)),
      false,
    );
    add(endsOf(element), index !== 0);
    const drawn = many(element, 'flowElements');
    for (const each of drawn)
      if (isA(each, 'bpmn:DataObject')) addObject(table, each, { scope: index, isEnd: false, report }, drawn);
    for (const each of drawn) if (isA(each, 'bpmn:DataStoreReference')) addStore(table, each, report);
  }
  return table;
}

/** What the modeler draws at the end of an association that leads to the activity itself. */
const isPlaceholder = (property: ModdleElement): boolean => text(property, 'name') === '__targetRef_placeholder';

/** The inputs and outputs of a process, an activity or an event. */
function endsOf(element: ModdleElement): readonly ModdleElement[] {
  const holder = one(element, 'ioSpecification') ?? element;
  return [...many(holder, 'dataInputs'), ...many(holder, 'dataOutputs')];
}

interface Place {
  readonly scope: number;
  readonly isEnd: boolean;
  readonly report: Report;
}

function addObject(
  table: Map<ModdleElement, Data>,
  object: ModdleElement,
  place: Place,
  drawn: readonly ModdleElement[],
): void {
  const references = drawn.filter(
    (each) => isA(each, 'bpmn:DataObjectReference') && one(each, 'dataObjectRef') === object,
  );
  const found = dataOf(object, [object, ...references], place);
  for (const each of [object, ...references]) table.set(each, found);
}

function addStore(table: Map<ModdleElement, Data>, reference: ModdleElement, report: Report): void {
  const store = one(reference, 'dataStoreRef');
  const known = store === null ? undefined : table.get(store);
  const found =
    known ??
    dataOf(store ?? reference, store === null ? [reference] : [store, reference], { scope: 0, isEnd: false, report });
  table.set(reference, found);
  if (store !== null) table.set(store, found);
}

/** `written`: all that tells of it, itself first. */
function dataOf(element: ModdleElement, written: readonly ModdleElement[], { scope, isEnd, report }: Place): Data {
  const names = written.flatMap((each) => text(each, 'name') ?? []);
  const name = names.find(isVariableName) ?? idOf(element) ?? '';
  const items = written.flatMap((each) => {
    const item = one(each, 'itemSubjectRef');
    const structure = item === null ? text(each, `${KEPT}itemSubjectRef`) : text(item, 'structureRef');
    return structure === null ? [] : [{ structure, isCollection: item !== null && flag(item, 'isCollection') }];
  });
  const [item] = items;
  if (item !== undefined && name === '')
    report.warn(element, 'is of a type, but is no variable, for it has neither a name nor an id', 'data-name');
  if (item === undefined || name === '') return { name, scope, declared: null, isEnd };
  const type = typeOf(item.structure);
  if (type === undefined)
    report.warn(
      element,
      `is of the type '${item.structure}', which is not known here, so it takes any value`,
      'data-type',
    );
  const isCollection = item.isCollection || written.some((each) => flag(each, 'isCollection'));
  const declared = { name, ...(type && { type }), ...(isCollection && ({ isCollection } as const)) };
  return { name, scope, declared, isEnd };
}

/** The type of a structure: one of XML Schema's or Java's. null: any value; undefined: it is not known. */
function typeOf(structure: string): DataType | null | undefined {
  const local = structure.slice(Math.max(...['.', ':', '#', '}'].map((sign) => structure.lastIndexOf(sign))) + 1);
  const found = Object.entries(TYPES).find(([, names]) => names.split(' ').includes(local))?.[0];
  if (found !== undefined) return found as DataType;
  return ANY.has(local) ? null : undefined;
}

/** By XML Schema's names, and by those of Java's classes. */
const TYPES: Readonly<Record<DataType, string>> = {
  String: 'string String normalizedString token anyURI language Name NCName ID QName',
  Integer: 'int Integer short Short byte Byte unsignedShort unsignedByte',
  Long: 'long Long integer BigInteger nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger unsignedInt unsignedLong',
  Double: 'double Double float Float decimal Decimal BigDecimal number Number',
  Boolean: 'boolean Boolean',
  Date: 'date Date dateTime DateTime datetime Instant LocalDate LocalDateTime ZonedDateTime OffsetDateTime Calendar',
  Json: 'List ArrayList LinkedList Collection Set HashSet Map HashMap LinkedHashMap',
};

const ANY = new Set(['Object', 'object', 'anyType', 'Any', 'any', 'Serializable']);
