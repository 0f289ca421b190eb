const SPECIAL = /[\\^$.+()|{}[\]]/g

/**
 * Compiles a pattern: `*` matches within a name, `**` matches any folders. Neither matches a name that begins
 * with a dot.
 */
export function matcherOf(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  const source = pattern
    .split('/')
    .map((segment) => (segment === '**' ? segment : segmentSource(segment)))
    .join('/')
    .replaceAll('**/', '(?:(?!\\.)[^/]+/)*')
  const expression = new RegExp(`^${source}$`, 's')
  return (name) => expression.test(name)
}

const segmentSource = (segment: string): string =>
  (segment.startsWith('*') ? '(?!\\.)' : '') +
  segment
    .replace(SPECIAL, '\\$&')
    .replaceAll('*', '[^/]*')
    .replace(/^\[\^\/\]\*$/, '[^/]+')
