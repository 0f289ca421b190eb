import { defineCommand } from '../../context/command.ts'
import { input, output } from './answer.ts'

export const serve = defineCommand({
  stays: true,
  name: 'serve',
  summary: 'show every session in a browser, as a page that only this machine can reach',
  details:
    'Runs until Ctrl-C. The printed address contains a token, which becomes a cookie; keep it to yourself. The page only reads, ' +
    'and loads nothing from elsewhere.',
  examples: [
    { command: 'scrollback serve', description: 'open the page in your browser' },
    { command: 'scrollback serve --no-open --port 8080', description: 'only print its address' },
  ],
  input,
  output,
  onlyRedacted: { because: 'the page shows the store, which contains no secrets' },
  // The rest of it is only loaded to serve.
  run: async (given, context) => (await import('./serve.ts')).served(given, context),
  *render() {},
  *json() {},
})
