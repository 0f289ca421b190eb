import type { Command } from '../../commands/kit/command.ts'
import { flagsOf } from '../../commands/kit/flags.ts'
import type { Tool } from './tool.ts'

/**
 * Words of a command for an agent that calls it as a tool: the flags that are arguments become the names of
 * these, and a sentence or parenthesis about another flag is left out.
 */
export function toolWords({ fields }: Tool, { input }: Command): (text: string) => string {
  const wanted = flagsOf(input).filter(({ field }) => field in fields)
  const names = new Map(wanted.map(({ name, field }) => [name, field]))
  const isKnown = (part: string): boolean => [...part.matchAll(FLAG)].every(([, name]) => names.has(name!))
  const sentences = (line: string): string =>
    line
      .split(/(?<=[.;]) /)
      .filter(isKnown)
      .join(' ')
  return (text) =>
    text
      .replace(/ ?\([^()\n]*\)/g, (part) => (isKnown(part) ? part : ''))
      .split('\n')
      .map(sentences)
      .join('\n')
      .trim()
      .replace(FLAG, (_, name: string) => names.get(name)!)
}

const FLAG = /(?<![\w/-])--([a-z][a-z-]*)/g
