/** Media types of files whose name says more than their bytes, by extension. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  bpmn: 'application/bpmn+xml',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ts: 'text/plain',
  txt: 'text/plain',
  webp: 'image/webp',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** The media type that the name stands for; undefined: it says none. */
export const mediaTypeByName = (name: string): string | undefined =>
  BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
