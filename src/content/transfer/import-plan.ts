import type { Caller } from '../../shared/caller.js';
import { badRequest, limitExceeded, ServiceError } from '../../shared/errors.js';
import { newId } from '../../shared/ids.js';
import { mayAdminister } from '../../shared/rights/roles.js';
import type { ReplicaSide } from '../../store/index.js';
import { ContentView } from '../tree/content-view.js';
import { type AccessEntry, type ContentNode, nodes } from '../tree/node.js';
import { strongTargets } from '../tree/references.js';
import type { Types } from '../tree/types.js';
import { repositoryType, validateNode } from '../type/validate-node.js';
import { qualifiedName } from '../value/names.js';
import { type ImportContext, type ImportedNode, importedNode } from './import-node.js';
import type { ImportParameters } from './import-parameters.js';
import { ImportTally, type Planned } from './import-report.js';
import { Pace } from './pace.js';
import { accessIn, type ImportRecord, type ImportRecords } from './records.js';

interface ImportPlanParts {
  readonly replica: Pick<ReplicaSide, 'read'>;
  readonly caller: Caller;
  readonly parameters: ImportParameters;
  readonly types: Types;
  readonly nodesMax: number;
  readonly hasPrincipal: (name: string) => boolean;
  readonly signal: AbortSignal;
}

/** How many nodes are looked at, at most, before others have their turn. A state reads no more than 1,000 documents. */
const BATCH = 50;
/** Of a node as text, in characters. */
const DOCUMENT_LENGTH_MAX = 262_144;

/** Plan of an import, before anything of it is written: each node of the archive against what is there and what the types allow. */
export class ImportPlan {
  readonly planned = new Map<string, Planned>();
  /** Lists by path. */
  access: ReadonlyMap<string, readonly AccessEntry[]> = new Map();
  /** What it comes to, once it is made. */
  readonly tally = new ImportTally();
  /** How many entries with bytes its nodes have. */
  binaries = 0;
  readonly #parts: ImportPlanParts;
  readonly #ids = new Map<string, string>();
  /** Identifiers in the archive of nodes that nothing may refer to by a strong reference. */
  readonly #plain = new Set<string>();
  readonly #taken = new Set<string>();
  /** Targets of strong references, and a node that has one. */
  readonly #targets = new Map<string, string>();
  readonly #demanded: [path: string, child: string][] = [];
  readonly #pace = new Pace();
  #looked = 0;
  #destination: Planned | undefined;
  #view: ContentView;

  constructor(parts: ImportPlanParts) {
    this.#parts = parts;
    this.#view = this.#fresh();
  }

  /** The identifier here of a node of the archive. */
  idOf(archived: string): string | undefined {
    return this.#ids.get(archived);
  }

  /** @throws BAD_REQUEST (the sidecar; a principal does not exist), LIMIT_EXCEEDED */
  async make(archive: ImportRecords): Promise<void> {
    this.#requireNamespaces(archive.namespaces);
    if (this.#parts.parameters.importAcl) this.access = await accessIn(archive, this.#parts.hasPrincipal);
    this.#destination = this.#planDestination();
    let count = 0;
    for await (const record of archive.records()) {
      if (++count > this.#parts.nodesMax)
        throw limitExceeded(`expected at most ${this.#parts.nodesMax} nodes in an archive, but there are more`, {
          reason: 'archive_too_large',
        });
      await this.#look();
      this.#add(record);
    }
    await this.#checkDemanded();
    await this.#checkTargets();
    await this.#failFiles();
    await this.#count();
  }

  async #count(): Promise<void> {
    for (const [path, planned] of this.planned) {
      await this.#look();
      this.tally.add(path, planned);
    }
  }

  /** A file is one thing with its content. */
  async #failFiles(): Promise<void> {
    for (const [path, { message }] of this.planned) {
      await this.#look();
      const above = path.slice(0, path.lastIndexOf('/'));
      if (message !== null && this.planned.get(above)?.isFile === true) this.#fail(above, message);
    }
  }

  /** Before each node that is looked at. */
  #look(): Promise<void> | undefined {
    return ++this.#looked % BATCH === 0 || this.#pace.isDue ? this.#pause() : undefined;
  }

  async #pause(): Promise<void> {
    await this.#pace.pause();
    this.#parts.signal.throwIfAborted();
    this.#view = this.#fresh();
  }

  #fresh(): ContentView {
    return new ContentView(this.#parts.replica.read(), this.#parts.caller);
  }

  #requireNamespaces(given: Readonly<Record<string, string>>): void {
    const { namespaces } = this.#parts.types;
    for (const [prefix, uri] of Object.entries(given)) {
      const here = namespaces.uriOf(prefix);
      if (here !== undefined && here !== uri)
        throw badRequest(
          `expected prefix '${prefix}' to stand for '${uri}' as in the archive, but here it is '${here}'`,
          {
            reason: 'namespace_differs',
          },
        );
    }
  }

  #planDestination(): Planned {
    const { destinationPath } = this.#parts.parameters;
    const found = this.#view.at(destinationPath);
    const facts = { name: '', isFile: false, message: null, mixins: found?.mixins ?? [] };
    return found === undefined
      ? { ...facts, fate: 'new', id: '', type: 'nt:folder' }
      : { ...facts, fate: 'merge', id: found.id, type: found.type };
  }

  #add(record: ImportRecord): void {
    const { path } = record;
    try {
      if (this.planned.has(path)) throw badRequest('there are two nodes of this path in the archive');
      this.planned.set(path, this.#planOf(record));
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown;
      const isFile = record.type === 'nt:file';
      const { type, mixins } = record;
      this.planned.set(path, { fate: 'error', id: '', name: '', isFile, type, mixins, message: thrown.message });
    }
  }

  #planOf(record: ImportRecord): Planned {
    const slash = record.path.lastIndexOf('/');
    const parent = slash < 0 ? this.#destination : this.planned.get(record.path.slice(0, slash));
    if (parent === undefined) throw badRequest('the archive has no node above it');
    const [, text = '', index = '1'] = /^(.+?)(?:\[([1-9]\d{0,8})\])?$/s.exec(record.path.slice(slash + 1)) ?? [];
    const name = qualifiedName(text, this.#parts.types.namespaces);
    const isFile = this.#parts.types.isA({ type: record.type, mixins: [] }, 'nt:file');
    const facts = { name, isFile, type: record.type, mixins: [], message: null };
    if (parent.fate === 'error' || parent.fate === 'skip') return { ...facts, fate: parent.fate, id: '' };
    const isThere = parent.fate === 'merge' || parent.fate === 'overwrite';
    const present = isThere ? this.#childOf(parent.id, name, Number(index)) : undefined;
    if (present !== undefined) return this.#onto(record, facts, present);
    return this.#newBelow(record, facts, { parent, isThere });
  }

  #childOf(parentId: string, name: string, index: number): ContentNode | undefined {
    const parent = this.#view.tree.get(parentId);
    const child = parent && this.#view.tree.child(parent, name, index);
    if (child === undefined || this.#view.access.canRead(child)) return child;
    throw badRequest('there is a node of this path already');
  }

  /** There is a node of the path. */
  #onto(record: ImportRecord, facts: Omit<Planned, 'fate' | 'id'>, present: ContentNode): Planned {
    const { pathBehavior } = this.#parts.parameters;
    if (pathBehavior === 0) throw badRequest('there is a node of this path already');
    const { type } = importedNode(this.#context(), present.id, { ...record, properties: {} });
    const isOther =
      record.isDescribed || facts.isFile ? type !== present.type : this.#view.types.isA(present, 'nt:file');
    if (isOther)
      throw badRequest(`expected what is there to be of type ${type} too, but it is of type ${present.type}`);
    if (record.id !== null) this.#identify(record.id, present);
    const found = { ...facts, id: present.id, type: present.type, mixins: present.mixins };
    if (pathBehavior === 1) return { ...found, fate: facts.isFile ? 'skip' : 'merge' };
    const isWritten = record.isDescribed || facts.isFile || record.path.endsWith('/jcr:content');
    if (!isWritten) return { ...found, fate: 'merge' };
    if (!this.#view.access.has(present, 'jcr:modifyProperties')) throw badRequest('it may not be changed by you');
    this.#check(record, this.#made(record, present.id));
    return { ...found, fate: 'overwrite' };
  }

  #newBelow(
    record: ImportRecord,
    facts: Omit<Planned, 'fate' | 'id'>,
    { parent, isThere }: { readonly parent: Planned; readonly isThere: boolean },
  ): Planned {
    const id = this.#newId(record);
    const node = this.#made(record, id);
    this.#check(record, node);
    const { types } = this.#parts;
    const definition = types.of(parent).childDefinition(facts.name, types.of(node));
    if (definition === undefined)
      throw badRequest(`${parent.type} takes no child '${facts.name}' of type ${node.type}`);
    if (isThere) this.#requireAdding(parent.id);
    for (const { name } of types.of(node).mandatoryChildren) this.#demanded.push([record.path, name]);
    this.#taken.add(id);
    if (record.id !== null) this.#identify(record.id, { ...node, id });
    const isTop = isThere || parent === this.#destination;
    return { ...facts, fate: isTop ? 'attach' : 'new', id, type: node.type, mixins: node.mixins };
  }

  #identify(archived: string, node: Pick<ContentNode, 'id' | 'type' | 'mixins'>): void {
    this.#ids.set(archived, node.id);
    if (!this.#parts.types.isA(node, 'mix:referenceable')) this.#plain.add(archived);
  }

  #requireAdding(parentId: string): void {
    const parent = this.#view.tree.get(parentId);
    if (parent !== undefined && this.#view.access.has(parent, 'jcr:addChildNodes')) return;
    throw badRequest('nothing may be added by you to the node above it');
  }

  /** @throws BAD_REQUEST its identifier is taken, and may not be replaced */
  #newId({ id, type, mixins }: ImportRecord): string {
    const { types, parameters } = this.#parts;
    const { uuidBehavior } = parameters;
    const fresh = newId(this.#view.now);
    if (id === null || uuidBehavior === 2) return fresh;
    const isTaken = this.#taken.has(id) || this.#view.state.get(nodes, id) !== undefined;
    if (!isTaken) return id;
    if (uuidBehavior === 0 && types.isA({ type, mixins }, 'mix:referenceable'))
      throw badRequest(`its identifier '${id}' is taken`);
    return fresh;
  }

  #made(record: ImportRecord, id: string): ImportedNode {
    for (const { values } of Object.values(record.properties))
      this.binaries += values.filter((value) => 'entry' in value).length;
    const node = importedNode(this.#context(), id, record);
    for (const target of strongTargets(node)) this.#targets.set(target, record.path);
    return node;
  }

  #context(): ImportContext {
    const { types, caller, parameters } = this.#parts;
    return {
      types,
      userId: caller.userId,
      now: this.#view.now,
      preserveTimestamps: parameters.preserveTimestamps,
      preserveAuthors: mayAdminister(caller),
      // References are led to their nodes when all of them are known.
      idOf: () => undefined,
      bytesOf: ({ uncompressedSize }) => ({ inline: '', size: uncompressedSize }),
      mimeTypeOf: () => 'application/octet-stream',
    };
  }

  #check({ path }: ImportRecord, node: ImportedNode): void {
    const facts = { ...node, path, protectedAllowed: true, targetIsA: () => true };
    const { types } = this.#parts;
    const [problem] = validateNode(types.registry, facts);
    if (problem !== undefined) throw badRequest(problem.message);
    if (types.registry.require(node.type).abstract) throw badRequest(`its type ${node.type} is abstract`);
    if (repositoryType(types.of(node)) !== undefined) throw badRequest(`its type ${node.type} is the repository's own`);
    const length = JSON.stringify(node).length;
    if (length > DOCUMENT_LENGTH_MAX)
      throw limitExceeded(`it has ${length} characters, more than ${DOCUMENT_LENGTH_MAX}`);
  }

  async #checkDemanded(): Promise<void> {
    for (const [path, child] of this.#demanded) {
      const found = this.planned.get(`${path}/${child}`);
      if (found !== undefined && found.fate !== 'error') continue;
      this.#fail(path, found?.message ?? `it lacks the child '${child}', which its type demands`);
    }
    await this.#pause();
  }

  async #checkTargets(): Promise<void> {
    for (const [target, path] of this.#targets) {
      await this.#look();
      if (this.#plain.has(target)) this.#fail(path, `it refers to a node that is not referenceable: ${target}`);
      if (this.#ids.has(target)) continue;
      const found = this.#view.get(target);
      if (found === undefined || !this.#view.types.isA(found, 'mix:referenceable'))
        this.#fail(path, `it refers to a node that is neither in the archive nor here: ${target}`);
    }
  }

  #fail(path: string, message: string): void {
    const planned = this.planned.get(path);
    if (planned !== undefined && planned.message === null)
      this.planned.set(path, { ...planned, fate: 'error', message });
  }
}
