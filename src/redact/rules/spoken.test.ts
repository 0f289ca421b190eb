import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { draw } from '../../../test/redaction/parts.ts'
import { redact } from '../redact.ts'

const code = draw(createRandom(3), 'digit', 6)
const label = '[REDACTED:one-time-code]'

describe('a one-time code', () => {
  // biome-ignore format: a compact list
  it.each([
    'code #', 'Your verification code is #', 'the code is: #', 'OTP: #', 'OTP=#', '2FA #', 'Enter the code #.', 'PIN: #',
    'Der Code lautet #', 'Dein Bestätigungscode: #', 'Votre code de vérification est #', 'Tu código es #',
    'Il codice è #', 'O código de acesso é #', 'Kod SMS to #', '您的验证码是#，5分钟内有效', '# is your login code',
    '{"otp":"#"}', '{"verificationCode":"#"}', 'otp_code: "#"',
  ])('is redacted beside a word that announces it: %s', (text) => {
    expect(redact(text.replace('#', code))).toBe(text.replace('#', label))
  })

  // biome-ignore format: a compact list
  it.each([
    'exit code #', 'status code: #', 'error code #', 'failed with code #', 'zip code #', '{"code":#}', '{"code":"#"}', 'code: #',
    'https://shop.test/?code=#', 'code #.5', 'barcode #', 'unicode #', 'tokens: #', 'pin #', 'the code of # lines',
  ])('is not assumed in numbers of programs and things: %s', (text) => {
    const whole = text.replace('#', code)
    expect(redact(whole)).toBe(whole)
  })
})
