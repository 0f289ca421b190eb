import {
  type Client,
  type Installed,
  inOrder,
  programIn,
  run,
  runInTerminal,
  serverOf,
  settle,
} from './clients.ts'
import { PROMPTS, TYPED } from './script.ts'

/**
 * Gemini CLI in print mode, where each further prompt resumes the session, then in a terminal, where it is
 * compacted. It has no forks.
 */
export const geminiCli = ({ folder, version }: Installed): Client => ({
  name: 'Gemini CLI',
  page: 'docs/formats/gemini-cli.md',
  version,
  prompts: [...PROMPTS, TYPED],
  tasks: [],
  isMarked: false,
  begins: (_home, address) => ({
    to: 'gemini',
    name: 'gemini',
    words: [programIn(folder, 'gemini'), ...OPTIONS],
    variables: variablesFor(address),
    types: [
      { after: /Understood/, keys: '/quit' },
      { after: /Exit the cli/i, keys: '\r' },
    ],
  }),
  async talk(home, address) {
    const program = programIn(folder, 'gemini')
    settle(home, '.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: {
        disableAutoUpdate: true,
        enableAutoUpdate: false,
        // At its start it sometimes deletes the session that was resumed just before.
        sessionRetention: { enabled: false },
      },
      privacy: { usageStatisticsEnabled: false },
      mcpServers: { scrollback: { ...serverOf(home), trust: true } },
    })
    const variables = variablesFor(address)
    await inOrder(
      PROMPTS,
      (text, which) => run(program, [...OPTIONS, ...which, '-p', text], home, variables),
      [],
      ['--resume', 'latest'],
    )
    await runInTerminal([program, ...OPTIONS, '-i', TYPED.text], home, variables, [
      { after: /Understood/, keys: '/compress' },
      // Before its commands are loaded, it would send the line to the model.
      { after: /Compresses the context/i, keys: '\r' },
      { after: /compressed/i, keys: '/quit' },
      { after: /Exit the cli/i, keys: '\r' },
    ])
  },
})

const OPTIONS = ['--model', 'gemini-2.5-pro', '--yolo', '--skip-trust']

const variablesFor = (address: string) => ({
  GEMINI_API_KEY: 'no-key-at-all',
  GOOGLE_GEMINI_BASE_URL: address,
})
