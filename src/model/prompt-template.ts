import { textDigest } from './item-key.ts'

/** What is left of a prompt when what changes from one run of a script to the next is taken out. */
export interface PromptTemplate {
  /** One for each way in which two prompts may be the same. */
  templates: number[]
  /** All of the prompt. */
  whole: number
}

/** A prompt of fewer words is said by anybody, unless it is a command with something behind it. */
const FEWEST_WORDS = 6
/** Halves of shorter prompts are openings that people use. */
const HALVED_WORDS = 16
const COMMAND = /^(\/[\w:.-]+)\s+\S/
/** Quotes, addresses, paths and numbers: whatever is put in for a parameter. */
const PARAMETER = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|\w+:\/\/\S+|\S*[/\\]\S+|\S*\d\S*/g

/** The templates of a session's only prompt; undefined for what is too short or too common to tell a script. */
export function promptTemplate(text: string): PromptTemplate | undefined {
  const said = text.slice(0, LONGEST).trim()
  const whole = textDigest(said)
  const command = COMMAND.exec(said)?.[1]
  if (command !== undefined) return { templates: [textDigest(`${command} *`)], whole }
  const words = said.replace(PARAMETER, '*').split(/\s+/)
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
