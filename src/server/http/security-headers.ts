import type { ServerResponse } from 'node:http';
import { LOGIN_STYLE_SOURCE } from '../session/login-page.js';

/** Sets the headers that keep browsers from doing harm with an answer. A handler may set stricter ones. */
export function setSecurityHeaders(res: ServerResponse, secure: boolean): void {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Frame-Options', 'SAMEORIGIN');
  res.setHeader('Referrer-Policy', 'same-origin');
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  if (secure) res.setHeader('Strict-Transport-Security', 'max-age=31536000');
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  `style-src 'self' ${LOGIN_STYLE_SOURCE}`,
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');
