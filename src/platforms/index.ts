import type { PlatformId } from '../model/artifact.ts'
import { claudeCode } from './claude-code/index.ts'
import { cline } from './cline/index.ts'
import { codex } from './codex/index.ts'
import { continueCli } from './continue/index.ts'
import { copilot } from './copilot/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { kiloCode } from './kilo-code/index.ts'
import { kimiCode } from './kimi-code/index.ts'
import { openclaw } from './openclaw/index.ts'
import { opencode } from './opencode/index.ts'
import { pi } from './pi/index.ts'
import type { Platform } from './platform.ts'
import { qwenCode } from './qwen-code/index.ts'

export const platforms: readonly Platform[] = [
  claudeCode,
  openclaw,
  codex,
  pi,
  opencode,
  geminiCli,
  copilot,
  kiloCode,
  qwenCode,
  kimiCode,
  cline,
  continueCli,
]

export function platformOf(id: PlatformId): Platform {
  return platforms.find((platform) => platform.id === id)!
}
