/** The page loads nothing from elsewhere and runs only its own scripts. */
const CONTENT_POLICY = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'"],
  ...["font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'"],
  ...["frame-ancestors 'none'", "require-trusted-types-for 'script'", 'trusted-types scrollback'],
].join('; ')

/** The headers of every answer that does not set them itself. */
export const HEADERS: readonly (readonly [string, string])[] = [
  ['content-security-policy', CONTENT_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-frame-options', 'DENY'],
]
