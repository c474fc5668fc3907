import { pathToFileURL } from 'node:url';
import {
  COMPONENT_LIST,
  type HttpMount,
  type MountTable,
  type OpenRuntime,
  type ReadRoutesQuestion,
  type ReadText,
  RouteParser,
  routeThreads,
} from '../../eip/index.js';
import type { PartitionPort } from '../../store/index.js';
import { routeProperties } from '../route-workspace/route-properties.js';
import { tellExchanges } from '../telemetry/exchange-spans.js';
import type { DomainNeeds } from './domain.js';

interface RoutePartNeeds extends Pick<DomainNeeds, 'config' | 'now' | 'histories' | 'openWorkspace'> {
  readonly front: (partition: string) => MountTable<HttpMount>;
  readonly partitionOf: (id: string) => PartitionPort;
}

/** Parts of the server that read and run routes, each in threads. */
export function openRouteParts({ config, now, histories, openWorkspace, front, partitionOf }: RoutePartNeeds) {
  const parser = new RouteParser({ budgetMs: config.modelParseTimeoutMs });
  const open: OpenRuntime = routeThreads({
    now,
    isVirtual: config.clock === 'virtual',
    properties: (partition) => ({
      ...routeProperties(partitionOf(partition)),
      ...variablesOf(config.routeVariables),
    }),
    limits: {
      fileRoots: config.fileRoots ?? [],
      httpHosts: config.httpHosts ?? [],
      bodyMax: config.routeBodyBytes,
      controlsRoutes: config.routeControl === 'on',
    },
    beans: config.routeBeans === undefined ? null : pathToFileURL(config.routeBeans).href,
    memoryMb: config.routeMemoryMb,
    history: (partition, workspace, batch) => {
      tellExchanges(workspace, batch);
      return histories.take(partition, batch);
    },
    openWorkspace,
    front,
  });
  return {
    open,
    components: COMPONENT_LIST,
    read: (question: ReadRoutesQuestion) => readText(parser, question),
    close: () => parser.close(),
  };
}

/** What `{{env:NAME}}` stands for: the variables of the environment that the operator has named. */
const variablesOf = (names: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[`env:${name}`, value]];
    }),
  );

async function readText(parser: RouteParser, { file: path, text, format }: ReadRoutesQuestion): Promise<ReadText> {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '') || 'route';
  const { file = null, errors: problems, warnings } = await parser.parse({ format, text, name });
  return { file, problems, warnings };
}
