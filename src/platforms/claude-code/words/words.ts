import type { Vocabulary } from '../../platform.ts'
import { SYNTHETIC } from '../records/assistant.ts'
import { ATTACHMENTS, BOOKKEEPING, REQUESTS } from '../records/entry-types.ts'

// biome-ignore format: a list
const KEYS = [
  'type', 'message', 'content', 'attachment', 'uuid', 'parentUuid', 'timestamp', 'cwd', 'sessionId', 'isSidechain', 'isMeta',
  'isApiErrorMessage', 'userFeedback', 'is_error', 'id', 'model', 'text', 'name', 'input', 'file_path', 'usage', 'input_tokens',
  'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_creation',
  'ephemeral_1h_input_tokens', 'costUSD', 'forkedFrom', 'stop_reason', 'requestId', 'iterations', 'speed',
  'inference_geo', 'service_tier', 'web_search_requests', 'server_tool_use',
]
// biome-ignore format: a list
const VALUES = [
  'user', 'assistant', 'tool_result', 'tool_use', 'server_tool_use', 'mcp_tool_use', 'thinking', 'redacted_thinking',
  'queued_command', 'standard', SYNTHETIC, '(no content)',
]

export const vocabulary: Vocabulary = {
  keys: KEYS,
  descend: ['message', 'content', 'attachment', 'input', 'usage', 'cache_creation', 'server_tool_use'],
  values: [...VALUES, ...BOOKKEEPING, ...ATTACHMENTS].filter((word) => !KEYS.includes(word)),
  passOver: REQUESTS,
  envelope: { id: 'uuid', parentId: 'parentUuid', at: 'timestamp', cwd: 'cwd', sessionId: 'sessionId' },
}

const WORDS = [...new Set([...vocabulary.keys, ...vocabulary.values])]
/** The number of a word in the scanner's vocabulary. */
export const numbered = (word: string): number => WORDS.indexOf(word) + 1
export const TYPE = numbered('type')
export const MESSAGE = numbered('message')
export const CONTENT = numbered('content')
export const ATTACHMENT = numbered('attachment')
export const API_ERROR = numbered('isApiErrorMessage')
export const FEEDBACK = numbered('userFeedback')
export const FORKED_FROM = numbered('forkedFrom')
export const IS_ERROR = numbered('is_error')
export const ID = numbered('id')
export const MODEL = numbered('model')
export const STOP_REASON = numbered('stop_reason')
export const TEXT = numbered('text')
export const NAME = numbered('name')
export const INPUT = numbered('input')
export const USAGE = numbered('usage')
export const FILE_PATH = numbered('file_path')
export const INPUT_TOKENS = numbered('input_tokens')
export const OUTPUT_TOKENS = numbered('output_tokens')
export const CACHE_READ = numbered('cache_read_input_tokens')
export const CACHE_WRITE = numbered('cache_creation_input_tokens')
export const CACHE_CREATION = numbered('cache_creation')
export const CACHE_WRITE_HOUR = numbered('ephemeral_1h_input_tokens')
export const COST = numbered('costUSD')
export const REQUEST_ID = numbered('requestId')
export const ITERATIONS = numbered('iterations')
export const SPEED = numbered('speed')
export const RESIDENCE = numbered('inference_geo')
export const TIER = numbered('service_tier')
export const SEARCHES = numbered('web_search_requests')
export const SERVER_TOOLS = numbered('server_tool_use')
export const STANDARD = numbered('standard')
export const SIDECHAIN = numbered('isSidechain')
export const USER = numbered('user')
export const ASSISTANT = numbered('assistant')
export const TOOL_RESULT = numbered('tool_result')
export const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'].map(numbered))
export const SILENT = new Set(['thinking', 'redacted_thinking'].map(numbered))
export const SYNTHETIC_MODEL = numbered(SYNTHETIC)
export const NO_CONTENT = numbered('(no content)')
export const ATTACHMENT_KIND = numbered('attachment')
