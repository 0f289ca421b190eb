import { isPlausible, looksRandom } from '../judge.ts'
import {
  alphanumeric,
  combinations,
  endRule,
  loneTokenRule,
  type Rule,
  tokenRule,
  uuid,
  word,
} from '../rule.ts'

/** A Discord token begins with an account number in base64. Digits encode to few letters. */
const discordStarts = combinations('MNO', 'DTjz', 'AEIMQUYcgk')

/** Bots, channels and accounts on chat services and networks. */
export const chat: readonly Rule[] = [
  {
    kind: 'telegram-bot-token',
    triggers: [':AA'],
    // The number before the colon is the public id of the bot, which identifies it to the reader.
    pattern: /(?<=(?<!\d)(?:bot)?\d{8,10}):(AA[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9_-])/y,
    judge: isPlausible,
  },
  tokenRule(
    'slack-token',
    combinations('x', 'o', 'x', 'abceprs', '-'),
    'xox[abceprs](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}',
  ),
  // A percent-encoded cookie.
  tokenRule('slack-token', ['xoxd-'], 'xoxd-[A-Za-z0-9%+/=_-]{20,}'),
  tokenRule('slack-token', ['xoxe.', 'xapp-', 'xwfp-'], '(?:xoxe\\.xox[bp]|xapp|xwfp)-[A-Za-z0-9-]{20,}'),
  {
    kind: 'slack-webhook',
    triggers: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,})/y,
    judge: isPlausible,
  },
  tokenRule('discord-token', discordStarts, `[MNO]${word}{22,28}\\.${word}{6}\\.${word}{27,}`),
  {
    kind: 'discord-webhook',
    triggers: ['/api/webhooks/'],
    pattern: /\/api\/webhooks\/\d{15,21}\/([A-Za-z0-9_-]{60,})/y,
    judge: isPlausible,
  },
  {
    kind: 'teams-webhook',
    triggers: ['.webhook.office.com/'],
    pattern: new RegExp(
      `\\.webhook\\.office\\.com/webhookb2/(${uuid}@${uuid}/IncomingWebhook/[0-9a-f]{32}/${uuid}(?:/${word}{1,128})?)`,
      'y',
    ),
    judge: () => true,
  },
  endRule('fcm-key', [':APA91b'], 'AAAA[A-Za-z0-9_-]{7}', ':APA91b[A-Za-z0-9_-]{100,200}'),
  loneTokenRule('facebook-token', ['EAA'], `EAA${alphanumeric}{100,1000}`, looksRandom),
]
