import type { Artifact } from '../model/artifact.ts'
import type { Draft } from '../model/event.ts'
import { normalize as claudeCode } from './claude-code/records/normalize.ts'
import { normalize as cline } from './cline/records/normalize.ts'
import { normalize as codex } from './codex/records/normalize.ts'
import { normalize as continueCli } from './continue/records/normalize.ts'
import { normalize as copilot } from './copilot/records/normalize.ts'
import { normalize as geminiCli } from './gemini-cli/records/normalize.ts'
import type { KnownPlatform } from './identities.ts'
import { normalize as kimiCode } from './kimi-code/records/normalize.ts'
import { normalize as openclaw } from './openclaw/records/normalize.ts'
import { normalize as opencode } from './opencode-records/normalize.ts'
import { normalize as pi } from './pi/records/normalize.ts'
import { normalize as qwenCode } from './qwen-code/records/normalize.ts'

type Normalize = (entry: unknown, artifact: Artifact) => Draft[]

const NORMALIZERS = {
  'claude-code': claudeCode,
  openclaw,
  codex,
  pi,
  opencode,
  'gemini-cli': geminiCli,
  copilot,
  'kilo-code': opencode,
  'qwen-code': qwenCode,
  'kimi-code': kimiCode,
  cline,
  continue: continueCli,
} satisfies Record<KnownPlatform, Normalize>

/**
 * The normalize functions by platform. Separate from everything that opens files, because it also runs in
 * browsers.
 */
export const normalizers: ReadonlyMap<string, Normalize> = new Map(Object.entries(NORMALIZERS))
