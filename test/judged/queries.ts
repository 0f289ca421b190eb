/** A query as a person types it, and the location of the message that the person wants. */
export interface Judged {
  query: string
  /** The beginning of the session's id, or of its file name. */
  session: string
  /** The lines that answer it; any of them is correct. If absent, the session is what is wanted. */
  lines?: number[]
  /** Another session that answers it as well. */
  or?: { session: string; lines: number[] }
}

/** For the invented sessions of the demo. */
export const OF_DEMO: readonly Judged[] = [
  { query: 'why is the orders page so slow', session: '1154d7d3', lines: [1, 9] },
  { query: 'foreign key without an index', session: '1154d7d3', lines: [9, 17] },
  { query: 'how long was the shop down when we switched', session: '7122ceb8', lines: [47] },
  { query: 'Checkout and payments', session: '640ab4c7' },
  { query: 'Move to Postgres', session: '7122ceb8' },
  { query: 'Release 1.0', session: 'b4a22c68' },
  { query: 'flaky stock test', session: '21c10370', lines: [1, 3, 6, 11, 25] },
  { query: 'what did the bookkeeper say about rounding tax', session: 'edf530e6', lines: [14] },
  { query: 'how many orders yesterday', session: 'edf530e6', lines: [5, 9] },
  { query: 'which column name is a reserved word', session: '7122ceb8', lines: [13] },
  { query: 'why is the disk full', session: 'e7b3ed29', lines: [8, 10] },
  { query: 'nodeModules backup', session: 'e7b3ed29', lines: [10, 18, 22] },
  { query: 'how do we treat refunds', session: '640ab4c7', lines: [12, 14, 21] },
  { query: 'the teapot is held for 15 minutes', session: 'f6818f97', lines: [4, 5, 22] },
  { query: 'prices in cents or euro', session: '4efda354', lines: [6, 7, 17] },
  { query: 'rehersal', session: '7122ceb8', lines: [8, 23, 30] },
  {
    query: 'boookkeeper',
    session: '640ab4c7',
    lines: [5],
    or: { session: 'edf530e6', lines: [14] },
  },
  { query: 'stock check every morning', session: 'edf530e6', lines: [18, 21] },
  { query: 'order-lines capital letters', session: '7122ceb8', lines: [23, 24] },
  { query: 'race between two buyers of one teapot', session: '21c10370', lines: [6, 11, 16] },
]

/**
 * For transcripts of other people, which are not part of this project. `SCROLLBACK_CORPUS` names their
 * folder.
 */
export const OF_CORPUS: readonly Judged[] = [
  { query: 'rebase on main', session: 'large-conversation', lines: [136] },
  { query: 'why does it pass locally but fail in ci', session: 'large-conversation', lines: [96] },
  { query: 'which dependencies are unused according to knip', session: 'large-conversation', lines: [192] },
  { query: 'streaming events do not reach the browser', session: 'large-conversation', lines: [232] },
  { query: 'double json serialization', session: 'large-conversation', lines: [319] },
  { query: 'unhandled rejections in the abort listener', session: 'large-conversation', lines: [371] },
  { query: 'sse chunk boundaries', session: 'large-conversation', lines: [348] },
  { query: 'stop being so tentative', session: 'tiny-conversation', lines: [1] },
  { query: 'use apple container instead of docker', session: 'long-conversation', lines: [151] },
  { query: 'switch to gpt5 from openai', session: 'long-conversation', lines: [239, 243] },
  {
    query: 'should the oracle and the execution agent be the same',
    session: 'long-conversation',
    lines: [25],
  },
  { query: 'todomvc or a calculator for the first test', session: 'long-conversation', lines: [33] },
  { query: 'playright container arm64', session: 'long-conversation', lines: [263] },
  { query: 'embeddings with more diverse values', session: 'd3ad4cdc', lines: [19] },
  { query: 'jupiter notebook', session: 'd3ad4cdc', lines: [2] },
  { query: 'why does it not sound like music', session: 'd3ad4cdc', lines: [48] },
  { query: 'which conda environment', session: 'ba79134d', lines: [67, 55] },
  { query: 'push to github', session: 'fed8ce56', lines: [2] },
  { query: 'how many patients are on the care team', session: 'sample-transcript', lines: [56] },
  { query: 'rank everything you did', session: 'sample-transcript', lines: [98] },
  { query: 'todo app with nextjs', session: 'fe5e1c67', lines: [2] },
  { query: 'get_api_key_for_model', session: 'compact', lines: [244, 266] },
  { query: 'untangle the oauth mess', session: 'compact', lines: [316] },
  { query: 'default-get-api-key', session: 'compact', lines: [156, 216] },
  { query: 'syntax highlighting in the html export', session: 'compact', lines: [339] },
  { query: 'what happens to hooks when there is no model', session: 'compact', lines: [82, 86] },
  { query: 'ToolResultMessage in the changelog', session: 'session', lines: [299] },
  { query: 'hook timeout', session: 'session', lines: [168] },
  { query: 'the theme does not update the user message', session: 'large-session', lines: [309] },
  { query: 'why does unsubscribe clear the listeners', session: 'before-compaction', lines: [196] },
]
