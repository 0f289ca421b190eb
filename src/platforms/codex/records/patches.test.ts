import { expect, it } from 'vitest'
import { readableItem } from '../../../../test/claude-code-fixtures.ts'
import { codexThread, type ThreadRecord } from '../../../../test/codex-threads.ts'
import { fileEdits } from '../../../sync/read/file-edits.ts'
import { readSlices } from '../../../sync/read/read-session.ts'

const SHED = '/home/ann/shed'

/** A thread with these records after its header. */
function threadOf(...records: readonly ThreadRecord[]) {
  const { artifact, told: all } = codexThread({ cwd: SHED, source: 'cli' }, ...records)
  const told = all.filter((line) => !line.startsWith('tool (output)'))
  return {
    told,
    artifact,
    edits: fileEdits(artifact).map(({ path, after, line }) => ({ path, after, line })),
  }
}

const calling = (name: string, call_id: string, input: object) =>
  ['response_item', { type: 'function_call', name, call_id, arguments: JSON.stringify(input) }] as const

const answered = (call_id: string, output: string) =>
  ['response_item', { type: 'function_call_output', call_id, output }] as const

const changing = (id: string, changes: object, status = 'completed') =>
  ['event_msg', { type: 'item_completed', item: { type: 'FileChange', id, status, changes } }] as const

const patch = (path: string, line: string): string =>
  `*** Begin Patch\n*** Add File: ${path}\n+${line}\n*** End Patch`

it.each([
  ['a here-document', { cmd: `apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF\n` }, 'a.txt'],
  [
    'one in a folder',
    { cmd: `cd 'dry box' && apply_patch <<EOF\n${patch('a.txt', 'rake')}\nEOF` },
    'dry box/a.txt',
  ],
  [
    'a directory',
    { cmd: `apply_patch <<"END"\n${patch('a.txt', 'rake')}\nEND`, workdir: `${SHED}/box/` },
    `${SHED}/box/a.txt`,
  ],
  [
    'both',
    { cmd: `cd b && apply_patch <<E\n${patch('a.txt', 'rake')}\nE`, workdir: '/shed' },
    '/shed/b/a.txt',
  ],
  [
    'a full path',
    { cmd: `cd b && apply_patch <<E\n${patch('/a.txt', 'rake')}\nE`, workdir: '/shed' },
    '/a.txt',
  ],
  ['a list of words', { command: ['apply_patch', patch('a.txt', 'rake')] }, 'a.txt'],
  [
    'signs in its mark',
    { cmd: `apply_patch <<'END-OF-PATCH'\n${patch('a.txt', 'rake')}\nEND-OF-PATCH` },
    'a.txt',
  ],
  ['a space in its mark', { cmd: `apply_patch << 'END OF'\n${patch('a.txt', 'rake')}\nEND OF` }, 'a.txt'],
  ['an escaped mark', { cmd: `apply_patch <<\\EOF\n${patch('a.txt', 'rake')}\nEOF` }, 'a.txt'],
  [
    'tabs before each line',
    { cmd: `apply_patch <<-'EOF'\n\t${patch('a.txt', 'rake').replaceAll('\n', '\n\t')}\n\tEOF` },
    'a.txt',
  ],
  [
    'a folder that is quoted in part',
    { cmd: `cd ../'dry box' && apply_patch <<EOF\n${patch('a.txt', 'rake')}\nEOF`, workdir: `${SHED}/in` },
    `${SHED}/in/../dry box/a.txt`,
  ],
  ['an argument', { cmd: `apply_patch '${patch('a.txt', 'rake')}'\n` }, 'a.txt'],
  ['an argument in other quotes', { cmd: `cd b && applypatch "${patch('a.txt', 'rake')}"` }, 'b/a.txt'],
  ['a comment', { cmd: `# rake\n\napply_patch <<EOF\n${patch('a.txt', 'rake')}\nEOF` }, 'a.txt'],
  ['a shell', { cmd: `bash -lc "apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF"` }, 'a.txt'],
])('takes a command that only applies a patch, with %s, for that patch', (_, input, path) => {
  const { told, edits } = threadOf(calling('shell', 'c1', input), answered('c1', 'Exit code: 0\nOutput:\n'))
  expect(told).toEqual([`tool: apply_patch ${path}`])
  expect(edits).toEqual([{ path, after: 'rake\n', line: 2 }])
})

it('leaves a command that does more than apply a patch as it is', () => {
  const commands = [
    `apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF\nls`,
    `cat > a.patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF`,
    `ls && apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF`,
    `cd a || apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF`,
    `echo '${patch('a.txt', 'rake')}'`,
    // What a shell makes of these is not in them, and the client and a shell read the last one differently.
    `apply_patch "${patch('a.txt', '$RAKE')}"`,
    `cd "$SHED" && apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF`,
    `cd dry\\ box && apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF`,
  ]
  const { told } = threadOf(...commands.map((cmd, index) => calling('exec_command', `c${index}`, { cmd })))
  expect(told.map((line) => line.split(' ')[1])).toEqual(commands.map(() => 'exec_command'))
})

/** A command whose patch nothing but the record of the change tells. */
const DRY = `set -e\napply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF\necho ok`
const ADDED = { [`${SHED}/a.txt`]: { type: 'add', content: 'rake\n' } }

it('takes a call for a patch if the client recorded that it changed files, whatever its command says', () => {
  for (const change of [
    changing('c1', ADDED),
    ['event_msg', { type: 'patch_apply_end', call_id: 'c1', success: true, changes: ADDED }] as const,
  ]) {
    const { told, edits, artifact } = threadOf(
      calling('exec_command', 'c1', { cmd: DRY }),
      calling('exec_command', 'c2', { cmd: 'ls' }),
      change,
      answered('c1', 'Process exited with code 1\nOutput:\nno rake\n*** Begin Patch'),
    )
    const call = `apply_patch ${SHED}/a.txt`
    expect(told).toEqual([`tool: ${call}`, 'tool: exec_command ls', `error: (${call}) no rake`])
    expect(edits).toEqual([{ path: `${SHED}/a.txt`, after: 'rake\n', line: 2 }])
    // Also where the call has left the memory before the record is read.
    const slices = [...readSlices(artifact, { slice: 1 })].flatMap(({ items }) => items)
    expect(slices.map(readableItem)).toEqual(told)
  }
  const failed = changing('c1', ADDED, 'failed')
  const { told, edits } = threadOf(calling('exec_command', 'c1', { cmd: DRY }), failed)
  expect([told[0]?.split(' ')[1], edits]).toEqual(['exec_command', []])
})

it('has the changes of calls in the order of the calls', () => {
  const { edits } = threadOf(
    calling('exec_command', 'c1', { cmd: './patch-it' }),
    calling('shell', 'c2', { command: ['apply_patch', patch('b.txt', 'saw')] }),
    changing('c1', ADDED),
  )
  expect(edits.map(({ line, path }) => [line, path])).toEqual([
    [2, `${SHED}/a.txt`],
    [3, 'b.txt'],
  ])
})

it('knows what the client did to files from its records of changes, whatever the call says', () => {
  const { edits } = threadOf(
    calling('exec_command', 'c1', { cmd: `apply_patch <<'EOF'\n${patch('a.txt', 'rake')}\nEOF` }),
    changing('c1', {
      [`${SHED}/a.txt`]: {
        type: 'update',
        unified_diff: '@@ -1,2 +1,2 @@\n rope\r\n-saw\r\n+rake\r\n\\ No newline at end of file\n',
        move_path: `${SHED}/b.txt`,
      },
      [`${SHED}/c.txt`]: { type: 'delete', content: 'spade\n' },
    }),
    answered('c1', 'Exit code: 0\nOutput:\nSuccess.'),
    // A form of command that is not known.
    calling('exec_command', 'c2', { cmd: './patch-it' }),
    changing('c2', { [`${SHED}/d.txt`]: { type: 'add', content: 'pot\n\npan\n' } }),
    answered('c2', 'Exit code: 0\nOutput:\nSuccess.'),
    calling('exec_command', 'c3', { cmd: './patch-it' }),
    changing('c3', { [`${SHED}/e.txt`]: { type: 'add', content: 'lid\n' } }, 'failed'),
    changing('exec-1', { [`${SHED}/f.txt`]: { type: 'add', content: 'jar\n' } }),
  )
  expect(edits).toEqual([
    { path: `${SHED}/b.txt`, after: 'rope\nrake', line: 2 },
    { path: `${SHED}/c.txt`, after: '', line: 2 },
    { path: `${SHED}/d.txt`, after: 'pot\n\npan\n', line: 5 },
  ])
})

it('takes no line of a record for another file that was changed', () => {
  const { edits } = threadOf(
    calling('exec_command', 'c1', { cmd: './patch-it' }),
    changing('c1', {
      [`${SHED}/a.txt`]: {
        type: 'update',
        unified_diff: '@@ -1 +1 @@\n-saw\n+rake\n*** Add File: /etc/shed\n+lock\n',
      },
      [`${SHED}/b.txt\n*** Delete File: /etc/gate`]: { type: 'delete', content: '' },
    }),
    answered('c1', 'Exit code: 0\nOutput:\nSuccess.'),
  )
  expect([...new Set(edits.map(({ path }) => path))]).toEqual([`${SHED}/a.txt`])
})

it('a call of the local shell is a change, a patch may have other line ends, and a name a comma', () => {
  const crlf = patch('a.txt', 'rake').replaceAll('\n', '\r\n')
  const { told, edits } = threadOf(
    [
      'response_item',
      {
        type: 'local_shell_call',
        call_id: 'c1',
        action: {
          type: 'exec',
          command: ['apply_patch', patch('hoe, a.txt', 'hoe')],
          working_directory: '/b',
        },
      },
    ],
    answered('c1', JSON.stringify({ output: 'Success.', metadata: { exit_code: 0 } })),
    ['response_item', { type: 'custom_tool_call', name: 'apply_patch', call_id: 'c2', input: crlf }],
  )
  expect(told).toEqual(['tool: apply_patch "/b/hoe, a.txt"', 'tool: apply_patch a.txt'])
  expect(edits).toMatchObject([
    { path: '/b/hoe, a.txt', after: 'hoe\n' },
    { path: 'a.txt', after: 'rake\n' },
  ])
})

it('a command that failed and printed nothing is shown with its exit code', () => {
  const { told } = threadOf(
    calling('shell', 'c1', { command: ['bash', '-lc', 'test -f rake'] }),
    answered('c1', JSON.stringify({ output: '', metadata: { exit_code: 2 } })),
  )
  expect(told).toEqual(['tool: shell test -f rake', 'error: (shell test -f rake) exit code 2'])
})

it('a command that a person declined is a denial, whichever tool was to run it', () => {
  const rejected = 'CreateProcess { message: "Rejected(\\"rejected by user\\")" }'
  const { told } = threadOf(
    calling('exec_command', 'c1', { cmd: 'rm rake' }),
    answered('c1', `exec_command failed for \`/bin/bash -lc 'rm rake'\`: ${rejected}`),
    calling('exec_command', 'c2', { cmd: 'rm hoe' }),
    answered('c2', 'exec_command failed for `/bin/bash`: CreateProcess { message: "No such file" }'),
  )
  expect(told).toEqual([
    'tool: exec_command rm rake',
    'marker: · denial (exec_command rm rake)',
    'tool: exec_command rm hoe',
    expect.stringMatching(/^error: \(exec_command rm hoe\) exec_command failed/),
  ])
})
