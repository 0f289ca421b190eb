import type { Artifact } from '../model/artifact.ts'
import type { Draft } from '../model/event.ts'
import { claudeCodeFacts } from './claude-code/record-facts.ts'
import { normalize as claudeCode } from './claude-code/records/normalize.ts'
import { clineFacts } from './cline/record-facts.ts'
import { normalize as cline } from './cline/records/normalize.ts'
import { codexFacts } from './codex/record-facts.ts'
import { normalize as codex } from './codex/records/normalize.ts'
import { continueFacts } from './continue/record-facts.ts'
import { normalize as continueCli } from './continue/records/normalize.ts'
import { copilotFacts } from './copilot/record-facts.ts'
import { normalize as copilot } from './copilot/records/normalize.ts'
import { geminiCliFacts } from './gemini-cli/record-facts.ts'
import { normalize as geminiCli } from './gemini-cli/records/normalize.ts'
import type { KnownPlatform } from './identities.ts'
import type { RecordFacts } from './identity.ts'
import { kiloCodeFacts } from './kilo-code/record-facts.ts'
import { kimiCodeFacts } from './kimi-code/record-facts.ts'
import { normalize as kimiCode } from './kimi-code/records/normalize.ts'
import { openclawFacts } from './openclaw/record-facts.ts'
import { normalize as openclaw } from './openclaw/records/normalize.ts'
import { opencodeFacts } from './opencode/record-facts.ts'
import { normalize as opencode } from './opencode-records/normalize.ts'
import { piFacts } from './pi/record-facts.ts'
import { normalize as pi } from './pi/records/normalize.ts'
import { qwenCodeFacts } from './qwen-code/record-facts.ts'
import { normalize as qwenCode } from './qwen-code/records/normalize.ts'

/** How records of a platform are read. */
interface Reader {
  normalize: (entry: unknown, artifact: Artifact) => Draft[]
  facts: RecordFacts
}

const READERS = {
  'claude-code': { normalize: claudeCode, facts: claudeCodeFacts },
  openclaw: { normalize: openclaw, facts: openclawFacts },
  codex: { normalize: codex, facts: codexFacts },
  pi: { normalize: pi, facts: piFacts },
  opencode: { normalize: opencode, facts: opencodeFacts },
  'gemini-cli': { normalize: geminiCli, facts: geminiCliFacts },
  copilot: { normalize: copilot, facts: copilotFacts },
  'kilo-code': { normalize: opencode, facts: kiloCodeFacts },
  'qwen-code': { normalize: qwenCode, facts: qwenCodeFacts },
  'kimi-code': { normalize: kimiCode, facts: kimiCodeFacts },
  cline: { normalize: cline, facts: clineFacts },
  continue: { normalize: continueCli, facts: continueFacts },
} satisfies Record<KnownPlatform, Reader>

/**
 * The readers by platform. Separate from everything that opens files, and from names and paths, because they
 * also run in browsers.
 */
export const readers: ReadonlyMap<string, Reader> = new Map(Object.entries(READERS))
