import { bytes, duration, integer } from './settings.js';

/** Limits of node types and of XML. */
export const contentLimits = {
  cndMax: bytes('MILLRACE_CND_MAX', '1MB', 'The characters of a text of node type definitions.'),
  nodeTypesMax: integer('MILLRACE_NODE_TYPES_MAX', 500, [0, 900], 'Node types that a workspace may register.'),
  xmlBytesMax: bytes('MILLRACE_XML_BYTES_MAX', '16MiB', 'The XML of an import, and of an export.'),
  xmlDepthMax: integer('MILLRACE_XML_DEPTH_MAX', 500, [1, 2_000], 'Nested nodes of an import.'),
  xmlNamespacesMax: integer('MILLRACE_XML_NAMESPACES_MAX', 1_000, [1, 10_000], 'Namespace declarations of an import.'),
  xmlParseTimeoutMs: duration('MILLRACE_XML_PARSE_TIMEOUT', '10s', 'How long reading the XML of an import may take.'),
};

/** Limits of uploads. */
export const uploadLimits = {
  uploadBytesMax: bytes('MILLRACE_UPLOAD_BYTES_MAX', '10GiB', 'The bytes of an upload.', '1TiB'),
  uploadChunkBytesMax: bytes(
    'MILLRACE_UPLOAD_CHUNK_BYTES_MAX',
    '8MiB',
    'The bytes of a chunk of an upload. As Base64 it has a third more, which counts as body of its request.',
  ),
  uploadsPerUserMax: integer(
    'MILLRACE_UPLOADS_PER_USER_MAX',
    100,
    [1, 400],
    'Open uploads of a user in a workspace; above it RATE_LIMITED.',
  ),
};

/** Limits of imported archives. */
export const importLimits = {
  importBytesMax: bytes('MILLRACE_IMPORT_BYTES_MAX', '10GiB', 'The bytes of an imported ZIP, unpacked.', '1TiB'),
  importEntriesMax: integer(
    'MILLRACE_IMPORT_ENTRIES_MAX',
    200_000,
    [1, 1_000_000],
    'Entries of an imported ZIP, and the nodes that it makes.',
  ),
  importRatioMax: integer(
    'MILLRACE_IMPORT_RATIO_MAX',
    200,
    [1, 2_000],
    'How many times as large as packed an entry of more than 1 MiB of an imported ZIP may be.',
  ),
  importDepthMax: integer(
    'MILLRACE_IMPORT_DEPTH_MAX',
    100,
    [1, 500],
    'Names in the path of an entry of an imported ZIP.',
  ),
};
