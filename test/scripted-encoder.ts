import type { ServerResponse } from 'node:http'
import { type Script, type ScriptedServer, scriptedServer } from './scripted-server.ts'

/** What texts can be about. A text is about those whose words it has. */
const SUBJECTS = [
  /\b(?:car|automobile|vehicle|garage)\b/gi,
  /\b(?:refund|reimburse|money back|repay)/gi,
  /\b(?:fern|plant|watering|greenery)/gi,
  /\b(?:wall|paint|colou?r)\b/gi,
]

/** A vector that says how much a text is about each subject. The last number is the same for all texts. */
const vectorOf = (text: string): number[] => [
  ...SUBJECTS.map((subject) => text.match(subject)?.length ?? 0),
  0.2,
]

interface Asked {
  model: string
  input: string[]
}

/** An encoder on loopback that knows a few subjects. `script` answers instead, if it returns true. */
export function scriptedEncoder(
  script?: (asked: Asked, response: ServerResponse, count: number) => boolean,
): Promise<ScriptedServer> {
  let count = 0
  const answer: Script = ({ body }, response) => {
    const asked = JSON.parse(String(body)) as Asked
    if (script?.(asked, response, ++count)) return
    const data = asked.input.map((text, index) => ({ index, embedding: vectorOf(text) }))
    const total_tokens = asked.input.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
    response.setHeader('content-type', 'application/json')
    // Not in order: the index counts.
    response.end(JSON.stringify({ data: data.reverse(), usage: { total_tokens } }))
  }
  return scriptedServer(answer)
}

/** All texts that an encoder was sent. */
export const textsSentTo = ({ seen }: ScriptedServer): string[] =>
  seen.flatMap(({ body }) => (JSON.parse(String(body)) as Asked).input)
