const TOKEN = "[\\w!#$&^.+'*`|~-]+";
const MIME_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})\\s*((?:;\\s*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\r\\n]*")\\s*)*)$`);
const CHARSET = /^[A-Za-z][\w.:+-]{0,39}$/;

/** The header `Content-Type` of a stored MIME type: text has a charset. What is no MIME type is sent as bytes without meaning. */
export function contentType(mimeType: string, encoding: string | null): string {
  const [, type, parameters = ''] = MIME_TYPE.exec(mimeType.trim()) ?? [];
  if (type === undefined) return 'application/octet-stream';
  if (!/^text\//i.test(type) || /;\s*charset=/i.test(parameters)) return `${type}${parameters}`;
  const charset = encoding !== null && CHARSET.test(encoding) ? encoding : 'UTF-8';
  return `${type}${parameters}; charset=${charset}`;
}

/** What browsers show without running anything of it in the page's origin. They have readers of their own for PDF. */
const INERT = new RegExp(
  `^(?:${[
    'text/(?:plain|css|csv|javascript|markdown|tab-separated-values|vtt)',
    'image/(?:apng|avif|bmp|gif|heic|heif|jpeg|jxl|png|tiff|webp|x-icon|vnd\\.microsoft\\.icon)',
    '(?:audio|video|font)/[\\w.-]+',
    'application/(?:json|[\\w.-]+\\+json|javascript|ogg|pdf|wasm|font-woff|vnd\\.apple\\.mpegurl)',
  ].join('|')})\\s*(?:;\\s*[\\w-]+=[\\w.:+-]+\\s*)*$`,
  'i',
);

/**
 * Whether browsers may run what a document of this `Content-Type` brings: HTML, SVG, XML, which may hold either, several documents in one
 * (`multipart/…`), and whatever else is not known to be harmless.
 */
export const isActive = (type: string): boolean => !INERT.test(type);
