/** Records as the invented client writes them, a minute apart. */
const record = (minute: number, kind: string, body?: object) => ({
  when: new Date(Date.UTC(2026, 10, 1, 10, minute)).toISOString(),
  kind,
  ...(body && { body }),
})

export const fern = {
  start: (minute: number, log: string, more: object = {}) =>
    record(minute, 'start', { log, by: 'person', dir: '/home/ann/garden', ...more }),
  round: (minute: number, more: object = {}) =>
    record(minute, 'round', { model: 'claude-sonnet-4-6', dir: '/home/ann/garden', ...more }),
  person: (minute: number, words: string) => record(minute, 'said', { by: 'person', words }),
  reply: (minute: number, call: string, words: string, more: object = {}) =>
    record(minute, 'said', { by: 'fern', words, call, ...more }),
  did: (minute: number, call: string, id: string, tool: string, input: object) =>
    record(minute, 'did', { call, id, tool, with: input }),
  got: (minute: number, id: string, ok: boolean, text: string) => record(minute, 'got', { id, ok, text }),
  spent: (minute: number, call: string, input: number, output: number, more: object = {}) =>
    record(minute, 'spent', { call, in: input, out: output, ...more }),
  undone: (minute: number, rounds: number) => record(minute, 'undone', { rounds }),
  grafted: (minute: number) => record(minute, 'grafted'),
  weather: (minute: number, more: object = {}) => record(minute, 'weather', { sky: 'grey', ...more }),
  wind: (minute: number) => record(minute, 'wind'),
}
