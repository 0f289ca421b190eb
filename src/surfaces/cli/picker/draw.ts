import { Box, render, Text, useInput, usePaste } from 'ink'
import { createElement, type ReactNode } from 'react'
import { printable } from '../../../render/terminal.ts'
import type { Host } from '../../host.ts'
import { type Key, keysOf } from './keys.ts'

/** A screen that Ink draws. */
export interface Drawn {
  draw(): void
  /** Gives the terminal back. */
  leave(): void
}

interface Shown {
  host: Host
  /** All lines of the screen, at most as wide as it is. */
  lines(): string[]
  press(key: Key): void
}

/** Draws lines on a screen of their own, and gives the keys to `press`. */
export function drawLines({ host, lines, press }: Shown): Drawn {
  const stdout = host.stdout.stream()
  // The wheel of a mouse becomes arrows, and a text can still be selected with it.
  const wheel = (on: boolean): void => void stdout.write(`\x1b[?1007${on ? 'h' : 'l'}`)
  const element = (): ReactNode => createElement(Root, { lines: lines(), press })
  const ink = render(element(), {
    stdout,
    stdin: host.stdin.stream(),
    stderr: host.stderr.stream(),
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    // A key is answered at once.
    maxFps: 120,
    isScreenReaderEnabled: false,
  })
  wheel(true)
  const draw = (): void => ink.rerender(element())
  stdout.on('resize', draw)
  return {
    draw,
    leave() {
      stdout.off('resize', draw)
      wheel(false)
      ink.unmount()
      ink.cleanup()
    },
  }
}

function Root({ lines, press }: { lines: readonly string[]; press(key: Key): void }): ReactNode {
  useInput((input, key) => {
    for (const each of keysOf(input, key)) {
      press(each)
      // What follows is for the shell.
      if (each.name === 'suspend' || each.name === 'quit') return
    }
  })
  // Its lines are words, and no keys.
  usePaste((pasted) => {
    const text = printable(pasted.replace(/\s+/g, ' '))
    if (text !== '') press({ name: 'text', text, isPasted: true })
  })
  return createElement(
    Box,
    { flexDirection: 'column' },
    lines.map((line, index) =>
      createElement(Text, { key: index, wrap: 'truncate' }, line === '' ? ' ' : line),
    ),
  )
}
