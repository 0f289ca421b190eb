/** What `@file` puts before the first prompt: an element for each file, with its text. */
const FILE = /^<file name="[^"\n]*">/
const FILE_END = '</file>'
/** What `/skill:name` becomes, with the words that follow the name. */
const SKILL = /^<skill name="([^"\n]+)" location="[^"\n]*">\n/
const SKILL_END = '\n</skill>'

/** What a person typed, without the files and skills that the client writes out before it. */
export function typedWords(text: string): { text: string; hasFiles: boolean } {
  const skill = SKILL.exec(text)
  // A file may contain the ends of other elements, and people seldom type them: the last one counts.
  const end = text.lastIndexOf(skill ? SKILL_END : FILE_END)
  if (end < 0) return { text, hasFiles: false }
  if (skill)
    return {
      text: `/skill:${skill[1]} ${text.slice(end + SKILL_END.length).trim()}`.trimEnd(),
      hasFiles: false,
    }
  return FILE.test(text)
    ? { text: text.slice(end + FILE_END.length).trim(), hasFiles: true }
    : { text, hasFiles: false }
}
