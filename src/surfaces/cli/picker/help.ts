import { identityOf } from '../../../platforms/identities.ts'

/** How many agents are named with their signs. */
const NAMED = 2

/** The keys, with the signs of the agents that have most sessions. */
export function helpText(platforms: readonly { id: string }[]): string {
  const agents = platforms.slice(0, NAMED).map(({ id }) => identityOf(id))
  const signs = agents.map(({ prefix, name }) => `${prefix} is ${name}`)
  const example = agents[0] ? `, as @${agents[0].short}; ${signs.join(', ')}` : ''
  return keysText(`one agent${example}`)
}

const keysText = (agents: string): string =>
  [
    '',
    '  In the list',
    '    letters      search everything that was said; Esc empties the words',
    '    ↑ ↓          choose a session: letters are keys now, / types again',
    '    Enter        read it, or open what is folded (▸)',
    '    Tab          which sessions: this folder, this project, everything',
    `    F2 or @name  ${agents}`,
    '    Space        show or hide the preview, where the screen is narrow',
    '',
    '  On a session, in the list and while reading',
    '    r  resume it in its folder    h  hand it over to another agent',
    '    w  why its files are so       x  export it here',
    '    o  open it in the browser     y  copy its citation',
    '    t  change its tags            *  give or take a star',
    '',
    '  While reading',
    '    /  find     n N  errors     ] [  your prompts     g G  beginning, end',
    '    m  only your words          c  copy the message   Esc back',
    '',
    '  Ctrl-C or q leaves. Ctrl-Z stops it, and fg comes back.',
  ].join('\n')
