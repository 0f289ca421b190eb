import { edit, exec, execFails, read, write } from './openclaw-calls.ts'
import { home, type OpenClawSession } from './openclaw-transcript.ts'
import { acts, agent, thinks, you } from './story.ts'

/** A secret to be found. It opens nothing. In parts, so that no scanner takes this file for a leak. */
const databaseUrl = `postgres://eastore:${['Wm7', 'Kettle', 'Q29x'].join('')}@localhost:5432/eastore`

const api = '/home/dev/eastore/api'
const common = {
  agent: 'ops',
  model: 'claude-sonnet-4-6',
  dress: 'webchat',
  kind: { type: 'direct' },
} as const

const backup: OpenClawSession = {
  ...common,
  seed: 'openclaw: backup',
  start: '2026-10-14 19:30',
  archived: { reason: 'reset', at: '2026-11-06 10:40' },
  steps: [
    you(
      'Tonight at 22:30 we switch to Postgres. Make a backup of the data directory and prove that it can be restored.',
    ),
    acts(
      execFails(
        `tar czf /var/backups/eastore/data.tgz ${api}/data`,
        'tar: /var/backups/eastore/data.tgz: Cannot write: No space left on device',
        2,
      ),
    ),
    thinks(
      'Disk is full. Find out what takes the space before deleting anything.',
      'The disk is full. I look for what takes the space and delete nothing yet.',
      exec(
        'df -h /var | tail -1; du -sh /var/backups/eastore/* | sort -rh | head -3',
        '/dev/sda2  20G  20G  12K 100% /var\n6.1G  /var/backups/eastore/2026-08.tgz\n5.9G  /var/backups/eastore/2026-07.tgz\n1.2G  /var/backups/eastore/2026-09.tgz',
      ),
    ),
    agent(
      'The backups of July and August take 12 GB: they contain node_modules. I can pack them again without it. Shall I?',
    ),
    you('Yes, but keep the originals on the other disk until tomorrow.', { after: 5 }),
    acts(
      exec('mv /var/backups/eastore/2026-07.tgz /var/backups/eastore/2026-08.tgz /mnt/cold/', ''),
      exec(
        `tar czf /var/backups/eastore/data.tgz ${api}/data && sha256sum /var/backups/eastore/data.tgz | cut -c1-12`,
        '5be1f0c2a97d',
      ),
    ),
    acts(
      exec(
        'mkdir -p /tmp/restore && tar xzf /var/backups/eastore/data.tgz -C /tmp/restore && diff -r /tmp/restore/home/dev/eastore/api/data /home/dev/eastore/api/data && echo same',
        'same',
      ),
    ),
    agent(
      'The backup is made and restored to `/tmp/restore`: no difference to the original. You can switch.',
    ),
    you('Thank you. From now on leave node_modules out of every backup.', { after: 2 }),
    acts(
      edit('/home/dev/eastore/deploy/backup.sh', 'tar czf', 'tar czf --exclude=node_modules'),
      write(
        `${home}/workspace-ops/MEMORY.md`,
        '# Memory\n- Backups leave out node_modules.\n- Look what fills a disk before deleting anything.\n',
      ),
    ),
    agent('Changed in `deploy/backup.sh`, and noted.'),
  ],
}

const afterRelease: OpenClawSession = {
  ...common,
  seed: 'openclaw: after the release',
  start: '2026-11-06 10:40',
  steps: [
    you(
      '1.0 goes live now. Watch the API for the rest of the day and tell me about anything above one error in a thousand.',
    ),
    acts(
      exec(
        'systemctl --user status eastore-api --no-pager | head -3',
        'eastore-api.service - eastore API\n   Active: active (running)\n   Memory: 118.0M (max: 128.0M)',
      ),
    ),
    agent('It runs. One thing already: it uses 118 MB of the 128 MB it may have. I keep an eye on that.'),
    {
      type: 'program',
      at: '2026-11-06 16:40',
      text: 'Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK.',
    },
    acts(
      execFails('curl -sf localhost:3000/health', 'curl: (22) The requested URL returned error: 502', 22),
      exec(
        'journalctl --user -u eastore-api -n 3',
        `eastore-api.service: A process of this unit has been killed by the OOM killer.\neastore-api.service: Scheduled restart job, restart counter is at 1.\neastore-api: connected to ${databaseUrl}`,
      ),
    ),
    agent(
      'The API was killed at 16:31 for want of memory and is back since 16:32: 19 requests failed. The limit of 128 MB is from the time before Postgres. I propose 256 MB.',
    ),
    you('Do it.', { after: 3 }),
    acts(
      read(
        '/home/dev/eastore/deploy/eastore-api.service',
        '[Service]\nExecStart=node src/server.js\nMemoryMax=128M\nRestart=always',
      ),
      edit('/home/dev/eastore/deploy/eastore-api.service', 'MemoryMax=128M', 'MemoryMax=256M'),
      exec(
        'systemctl --user daemon-reload && systemctl --user restart eastore-api && curl -s localhost:3000/health',
        '{"ok":true,"database":"postgres"}',
      ),
    ),
    agent('The limit is 256 MB now, and the API is healthy.'),
    you('Anything since?', { at: '2026-11-07 09:05' }),
    acts(exec('journalctl --user -u eastore-api --since yesterday | grep -c " 5[0-9][0-9] "', '19')),
    agent('Nothing new: the 19 failures of yesterday 16:31 are the only ones. Memory stays at 140 MB.'),
  ],
}

/** The agent that looks after the machines, over the web chat. */
export const operationsAssistant: OpenClawSession[] = [backup, afterRelease]
