import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiBuilding } from './demo/api-building.ts'
import { apiRelease } from './demo/api-release.ts'
import { type DemoFile, projectSlug, toLines, writeClaudeSession } from './demo/claude-code-transcript.ts'
import { codexFiles } from './demo/codex-transcript.ts'
import { copilotFiles } from './demo/copilot-transcript.ts'
import {
  clineFiles,
  continueFiles,
  kimiFiles,
  qwenFiles,
  writeKiloDatabase,
} from './demo/further-transcripts.ts'
import { geminiFiles } from './demo/gemini-transcript.ts'
import { writeOpenClawFiles } from './demo/openclaw-files.ts'
import { writeSessionIndexes } from './demo/openclaw-state.ts'
import { writeOpenClawSession } from './demo/openclaw-transcript.ts'
import { writeOpenCodeDatabase } from './demo/opencode-database.ts'
import { operationsAssistant } from './demo/operations-assistant.ts'
import { piFiles } from './demo/pi-transcript.ts'
import { writeSemanticMemory } from './demo/semantic-memory.ts'
import { shopAssistant } from './demo/shop-assistant.ts'
import { webAndNotes } from './demo/web-and-notes.ts'

/**
 * Writes `demo/`: the invented story of a small shop, as files of every platform. The output is
 * deterministic, so that a diff only shows changes to the story.
 */
function makeDemo(directory: string): void {
  const files = [
    ...claudeCodeFiles().map(inside('.claude')),
    ...openClawFiles().map(inside('.openclaw')),
    ...codexFiles().map(inside('.codex')),
    ...piFiles().map(inside('.pi')),
    ...geminiFiles().map(inside('.gemini')),
    ...copilotFiles().map(inside('.copilot')),
    ...qwenFiles().map(inside('.qwen')),
    ...kimiFiles().map(inside('.kimi-code')),
    ...clineFiles().map(inside('.cline/data')),
    ...continueFiles().map(inside('.continue')),
  ]
  rmSync(directory, { recursive: true, force: true })
  let bytes = 0
  for (const { path, content } of files) {
    const target = join(directory, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    bytes += Buffer.byteLength(content)
  }
  writeSemanticMemory(join(directory, '.openclaw/memory/main.sqlite'), openClawFiles())
  writeOpenCodeDatabase(join(directory, '.local/share/opencode/opencode.db'))
  writeKiloDatabase(join(directory, '.local/share/kilo/kilo.db'))
  process.stdout.write(`${files.length + 3} files, ${Math.ceil(bytes / 1024)} KB in ${directory}\n`)
}

function claudeCodeFiles(): DemoFile[] {
  const written = [...apiBuilding, ...apiRelease, ...webAndNotes].map(writeClaudeSession)
  const prompts = written
    .flatMap((session) => session.prompts)
    .sort((left, right) => left.timestamp - right.timestamp)
  const history = prompts.map(({ display, ...where }) => ({ display, pastedContents: {}, ...where }))
  const memory = `projects/${projectSlug('/home/dev/eastore/api')}/memory/MEMORY.md`
  return [
    ...written.flatMap((session) => session.files),
    { path: 'history.jsonl', content: toLines(history) },
    {
      path: memory,
      content:
        '# eastore-api\n\n- Prices are whole cents.\n- Tax is rounded once per order.\n- Plain SQL, no ORM.\n',
    },
  ]
}

function openClawFiles(): DemoFile[] {
  const written = [...shopAssistant, ...operationsAssistant].map(writeOpenClawSession)
  return [
    ...written.map(({ file, content }) => ({ path: file, content })),
    ...writeSessionIndexes(written),
    ...writeOpenClawFiles(written),
  ]
}

function inside(directory: string) {
  return ({ path, content }: DemoFile): DemoFile => ({ path: `${directory}/${path}`, content })
}

makeDemo(join(import.meta.dirname, '..', 'demo'))
