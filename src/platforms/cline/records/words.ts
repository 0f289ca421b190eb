const TYPED = /<user_input\b[^>]*>([\s\S]*)<\/user_input>/
const COMMAND = /<user_command\b[^>]*\bslash="([^"]*)"[^>]*>/
/** The client says there that the person has changed the mode. */
const NOTICE = /^\s*<mode_notice>[\s\S]*?<\/mode_notice>\s*/

/**
 * What a person typed. The client puts it into a tag, with a notice in it or before it, and files behind it.
 * `isMarked`: there is such a tag.
 */
export function typedIn(text: string): { words: string; isMarked: boolean } {
  const typed = TYPED.exec(text)?.[1]
  if (typed !== undefined) return { words: typed.replace(NOTICE, ''), isMarked: true }
  const command = COMMAND.exec(text)?.[1]
  if (command !== undefined) return { words: `/${command.replace(/^\//, '')}`, isMarked: true }
  return { words: text, isMarked: false }
}
