import { textDigest } from './item-key.ts'

/** A prompt without the parts that change between runs of a script. */
export interface PromptTemplate {
  /** One hash for each way in which two prompts can be alike. */
  templates: number[]
  /** The hash of the whole prompt. */
  whole: number
}

/** Shorter prompts are too common, unless they are a command with arguments. */
const FEWEST_WORDS = 6
/** In shorter prompts, half of the text is too common to compare. */
const HALVED_WORDS = 16
const COMMAND = /^(\/[\w:.-]+)\s+\S/
/** Quotes, URLs, paths and numbers, which are typical parameters. */
const PARAMETER = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\w+:\/\/\S+|\S*[/\\]\S+|\S*\d\S*/g

/** The templates of a session's only prompt. Undefined if it is too short or too common. */
export function promptTemplate(text: string): PromptTemplate | undefined {
  const prompt = text.slice(0, LONGEST).trim()
  const whole = textDigest(prompt)
  const command = COMMAND.exec(prompt)?.[1]
  if (command !== undefined) return { templates: [textDigest(`${command} *`)], whole }
  const words = prompt.replace(PARAMETER, '*').split(/\s+/)
  if (words.length < FEWEST_WORDS) return undefined
  const templates = [textDigest(words.join(' '))]
  if (words.length >= HALVED_WORDS) {
    const middle = Math.floor(words.length / 2)
    templates.push(textDigest(`< ${words.slice(0, middle).join(' ')}`))
    templates.push(textDigest(`> ${words.slice(-middle).join(' ')}`))
  }
  return { templates: [...new Set(templates)], whole }
}

const LONGEST = 20_000
