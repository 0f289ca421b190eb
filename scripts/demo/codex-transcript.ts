import { type DemoFile, toLines } from './claude-code-transcript.ts'
import { createClock } from './clock.ts'
import { createSeeded, type Seeded } from './seeded.ts'
import { acts, agent, type Call, type Prompt, type Reply, you } from './story.ts'

const web = '/home/dev/eastore/web'

const command = (cmd: string, output: string, failed = false): Call => ({
  tool: 'exec_command',
  input: { cmd },
  output,
  failed,
})

const patch = (file: string, lines: string): Call => ({
  tool: 'apply_patch',
  input: { patch: `*** Begin Patch\n*** Update File: ${file}\n@@\n${lines}\n*** End Patch\n` },
  output: `Success. Updated the following files:\nM ${file}\n`,
})

const steps: readonly (Prompt | Reply)[] = [
  you(
    'The size table on the apron pages runs out of the screen on a phone. Make it readable without scrolling sideways.',
  ),
  agent(
    'I look at the table and its styles first.',
    command(
      "rg -n 'size-table' src",
      'src/product.css:41:.size-table { width: 640px }\nsrc/product.html:88:<table class="size-table">\n',
    ),
  ),
  acts(
    patch(
      'src/product.css',
      '-.size-table { width: 640px }\n+.size-table { width: 100% }\n+@media (max-width: 480px) { .size-table tr { display: grid } }',
    ),
    command(
      'npx playwright test size',
      '1 failed\n  size › fits a phone\n  Expected: 390  Received: 412\n',
      true,
    ),
  ),
  agent(
    'Twelve pixels come from the padding of the page, not from the table.',
    patch('src/product.css', '-main { padding: 0 16px }\n+main { padding: 0 16px; box-sizing: border-box }'),
    command('npx playwright test size', '3 passed (2.2s)\n'),
  ),
  agent('The table fits a phone now: below 480 pixels each size is a block of its own. Three tests pass.'),
  you('Good. Put the inches away, nobody asked for them.', { after: 6 }),
  acts(patch('src/product.html', '-<th>Width (in)</th>\n')),
  agent('The column with inches is gone.'),
]

/** A session of Codex, as its versions write it that tell every message twice. */
export function codexFiles(): DemoFile[] {
  const seeded = createSeeded('web: size table')
  const clock = createClock('2026-10-27 10:05')
  const id = timed(clock.now(), seeded)
  const start = new Date(clock.now()).toISOString()
  const lines: object[] = []
  const write = (type: string, payload: object): void =>
    void lines.push({ timestamp: new Date(clock.advance(0.02)).toISOString(), type, payload })
  write('session_meta', {
    id,
    timestamp: start,
    cwd: web,
    originator: 'codex-tui',
    cli_version: '0.121.0',
    source: 'cli',
    model_provider: 'openai',
    git: { commit_hash: seeded.hex(40), branch: 'main' },
  })
  const total = { input: 0, cached: 0, output: 0 }
  for (const step of steps) {
    if (step.type === 'prompt') {
      clock.advance((step.after ?? 0) * 60 + 4)
      write('turn_context', {
        turn_id: timed(clock.now(), seeded),
        cwd: web,
        model: 'gpt-5.4',
        effort: 'medium',
      })
      write('response_item', message('user', step.text))
      write('event_msg', { type: 'user_message', message: step.text, images: [] })
    } else reply(step)
  }
  const day = start.slice(0, 10).replaceAll('-', '/')
  const name = `rollout-${start.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`
  return [
    { path: `sessions/${day}/${name}`, content: toLines(lines as never) },
    {
      path: 'session_index.jsonl',
      content: toLines([{ id, thread_name: 'Size table on phones', updated_at: start }] as never),
    },
  ]

  function reply({ text, calls }: Reply): void {
    clock.advance(seeded.between(6, 20))
    if (text !== undefined) {
      write('event_msg', { type: 'agent_message', message: text })
      write('response_item', message('assistant', text))
    }
    for (const call of calls) called(call)
    const last = {
      input: 9000 + total.output * 3,
      cached: total.input === 0 ? 0 : 8600,
      output: 40 + (text?.length ?? 0),
    }
    for (const name of ['input', 'cached', 'output'] as const) total[name] += last[name]
    write('event_msg', {
      type: 'token_count',
      info: { total_token_usage: usage(total), last_token_usage: usage(last), model_context_window: 272_000 },
      rate_limits: null,
    })
  }

  function called({ tool, input, output, failed }: Call): void {
    const callId = `call_${seeded.hex(24)}`
    const isPatch = tool === 'apply_patch'
    write(
      'response_item',
      isPatch
        ? { type: 'custom_tool_call', status: 'completed', call_id: callId, name: tool, input: input.patch }
        : { type: 'function_call', name: tool, arguments: JSON.stringify(input), call_id: callId },
    )
    clock.advance(seeded.between(1, 4))
    const code = failed ? 1 : 0
    write(
      'response_item',
      isPatch
        ? {
            type: 'custom_tool_call_output',
            call_id: callId,
            output: JSON.stringify({ output, metadata: { exit_code: code, duration_seconds: 0 } }),
          }
        : {
            type: 'function_call_output',
            call_id: callId,
            output: `Chunk ID: ${seeded.hex(6)}\nWall time: 1.0 seconds\nProcess exited with code ${code}\nOutput:\n${output}`,
          },
    )
  }
}

const message = (role: 'user' | 'assistant', text: string): object => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
})

const usage = ({ input, cached, output }: { input: number; cached: number; output: number }): object => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: input + output,
})

/** An id that begins with a time. */
function timed(at: number, seeded: Seeded): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${seeded.hex(3)}-8${seeded.hex(3)}-${seeded.hex(12)}`
}
