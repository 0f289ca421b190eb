import type { Artifact } from '../model/artifact.ts'
import type { Draft } from '../model/event.ts'
import { claudeCodeIdentity } from './claude-code/identity.ts'
import { normalize as claudeCode } from './claude-code/records/normalize.ts'
import { codexIdentity } from './codex/identity.ts'
import { normalize as codex } from './codex/records/normalize.ts'
import { copilotIdentity } from './copilot/identity.ts'
import { normalize as copilot } from './copilot/records/normalize.ts'
import { geminiCliIdentity } from './gemini-cli/identity.ts'
import { normalize as geminiCli } from './gemini-cli/records/normalize.ts'
import { kiloCodeIdentity } from './kilo-code/identity.ts'
import { openclawIdentity } from './openclaw/identity.ts'
import { normalize as openclaw } from './openclaw/records/normalize.ts'
import { opencodeIdentity } from './opencode/identity.ts'
import { normalize as opencode } from './opencode-records/normalize.ts'
import { piIdentity } from './pi/identity.ts'
import { normalize as pi } from './pi/records/normalize.ts'
import { qwenCodeIdentity } from './qwen-code/identity.ts'
import { normalize as qwenCode } from './qwen-code/records/normalize.ts'

/**
 * The normalize functions by platform. Separate from everything that opens files, because it also runs in
 * browsers.
 */
export const normalizers: ReadonlyMap<string, (entry: unknown, artifact: Artifact) => Draft[]> = new Map([
  [claudeCodeIdentity.id, claudeCode],
  [openclawIdentity.id, openclaw],
  [codexIdentity.id, codex],
  [piIdentity.id, pi],
  [opencodeIdentity.id, opencode],
  [geminiCliIdentity.id, geminiCli],
  [copilotIdentity.id, copilot],
  [kiloCodeIdentity.id, opencode],
  [qwenCodeIdentity.id, qwenCode],
])
