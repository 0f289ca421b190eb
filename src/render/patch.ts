/** A change of lines. Each line begins with a space, `+`, `-` or a backslash. */
interface PatchHunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  lines: readonly string[]
}

/** The change of one file. `name` is relative to the folder in which the patch is applied. */
interface FilePatch {
  name: string
  isCreated: boolean
  isDeleted: boolean
  hunks: readonly PatchHunk[]
}

/** The modes of files are not in transcripts. */
const MODE = '100644'

/**
 * The change of a file as `git apply` reads it.
 *
 * @example
 * gitPatch({ name: 'a.txt', isCreated: true, isDeleted: false, hunks: [] })
 * // => 'diff --git a/a.txt b/a.txt\nnew file mode 100644\n'
 */
export function gitPatch({ name, isCreated, isDeleted, hunks }: FilePatch): string {
  const path = name.replaceAll('\\', '/')
  const head = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`]
  if (isCreated) head.push(`new file mode ${MODE}`)
  if (isDeleted) head.push(`deleted file mode ${MODE}`)
  if (hunks.length > 0)
    head.push(
      `--- ${isCreated ? '/dev/null' : quoted(`a/${path}`)}`,
      `+++ ${isDeleted ? '/dev/null' : quoted(`b/${path}`)}`,
    )
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: each }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...each,
  ])
  return [...head, ...lines, ''].join('\n')
}

/** Names with spaces or quotes are quoted as in C. */
const quoted = (path: string): string => (/[\s"]/.test(path) ? JSON.stringify(path) : path)
