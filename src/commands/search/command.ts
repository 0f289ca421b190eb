import { defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { input, output, type SearchInput } from './answer.ts'
import { ask, type Found, queryOf } from './ask.ts'
import { jsonPieces } from './json.ts'
import { openHit } from './open.ts'
import { textPieces } from './text.ts'

export const search = defineCommand({
  name: 'search',
  summary: 'search messages and tool targets, best matches first',
  details: `In a query:
  login page        both words, in any order
  "login page"      exactly this
  log*              words with this beginning
  login OR signup   either of them
  -test             without this word; -"a phrase", -(a group), -who:tool
  name:value        project: agent: platform: session: branch: tag: tool: file: edited: read:
                    before: after:, who:human|agent|program|tool|error|memory, is:error, is:starred, has:question;
                    in a team store (--store) also device: person:
Capitals and accents do not matter, nor whether Chinese is simplified or traditional, or a name camelCase, snake_case or kebab-case.
Any part of Chinese, Japanese and Korean text is found. Titles of sessions are searched too. If few messages have all words, parts of
words are searched too, and then most of the words. If none has them, unknown words are treated as misspelled. The shell removes quotes, so put the query into single quotes, and -- before words that begin with two minuses.`,
  examples: [
    { command: 'scrollback search postgres backup', tells: 'find both words in every project' },
    { command: `scrollback search '"round the tax" project:api'`, tells: 'find a phrase in one project' },
    { command: 'scrollback search who:human after:7d', tells: 'list everything you said in the last 7 days' },
    {
      command: 'scrollback search file:src/auth.ts --context 2',
      tells: 'find who changed a file, with surrounding messages',
    },
    { command: 'scrollback search login --pick', tells: 'choose a match and read it' },
    { command: 'scrollback search ECONNREFUSED --raw', tells: 'search tool output as well' },
    { command: "scrollback search login --json | jq '.hits[].path'", tells: 'for programs' },
  ],
  input,
  output,
  check: (given, context) => void queryOf(given, context),
  needs: 'words',
  run: (given: SearchInput, context: Context): Promise<Found> => ask(given, context),
  isNothing: ({ answer, outputs }) => answer.total === 0 && !outputs?.sums.total,
  render: textPieces,
  json: jsonPieces,
  follow: openHit,
})
