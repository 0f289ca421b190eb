import { identities } from '../../../platforms/identities.ts'

/** The words of a query, and the platform that `@codex` in it names. */
export function wordsOf({ query, platform }: { query: string; platform: string | undefined }): {
  words: string
  platform: string | undefined
} {
  let named = platform
  const words = query.split(/\s+/).filter((word) => {
    if (!word.startsWith('@')) return true
    const name = word.slice(1).toLowerCase()
    const found =
      name === ''
        ? undefined
        : identities.find((each) =>
            [each.short, each.id, each.name.toLowerCase()].some((form) => form.startsWith(name)),
          )
    named = found?.id ?? named
    // While a name is typed, nothing is searched for it.
    return found === undefined && name !== ''
  })
  return { words: words.join(' '), platform: named }
}
