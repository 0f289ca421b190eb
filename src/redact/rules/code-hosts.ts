import { isPlausible, looksLikeKey } from '../judge.ts'
import { alphanumeric, end, endRule, type Rule, tokenRule, word } from '../rule.ts'

/** Tokens of services that store, test and publish code. */
export const codeHosts: readonly Rule[] = [
  tokenRule('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], `gh[pousr]_${alphanumeric}{36,}`),
  tokenRule('github-token', ['github_pat_'], `github_pat_${word}{22,}`),
  tokenRule(
    'gitlab-token',
    [
      ...['glpat-', 'gldt-', 'glrt-', 'glrtr-', 'glptt-', 'glcbt-', 'glft-', 'glsoat-', 'glagent-', 'glimt-'],
      ...['gloas-', 'glffct-', 'glwt-'],
    ],
    '(?:gl(?:pat|dt|rt|rtr|ptt|cbt|ft|soat|agent|imt|oas|ffct|wt)-)[A-Za-z0-9_.-]{20,}',
  ),
  tokenRule('gitlab-token', ['GR1348941'], `GR1348941${word}{20}`),
  tokenRule('atlassian-token', ['ATATT3', 'ATCTT3'], `AT[AC]TT3[A-Za-z0-9_=-]{60,}`),
  tokenRule('bitbucket-password', ['ATBB'], `ATBB${alphanumeric}{24}[0-9A-F]{8}${end}`),
  tokenRule('sourcegraph-token', ['sgp_'], `sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}`),
  endRule('azure-devops-token', ['AZDO'], `${alphanumeric}{76}`, `AZDO${alphanumeric}{4}`),
  tokenRule('circleci-token', ['CCIPAT_', 'CCIPRJ_'], `CCIP(?:AT|RJ)_${alphanumeric}{22}_[0-9a-f]{40}`),
  tokenRule('buildkite-token', ['bkua_', 'bkaj_', 'bkat_'], `bk(?:ua|aj|at)_[0-9a-f]{40}`),
  tokenRule('sonar-token', ['sqp_', 'squ_', 'sqa_'], `sq[pua]_[0-9a-f]{40}`),
  tokenRule(
    'harness-token',
    ['pat.', 'sat.'],
    `[ps]at\\.${word}{22}\\.${alphanumeric}{24}\\.${alphanumeric}{20}`,
  ),
  tokenRule('octopus-key', ['API-'], `API-[A-Z0-9]{26}${end}`, looksLikeKey),
  tokenRule('npm-token', ['npm_'], `npm_${alphanumeric}{36}${end}`),
  tokenRule('pypi-token', ['pypi-'], `pypi-AgE${word}{50,}`),
  tokenRule('rubygems-key', ['rubygems_'], `rubygems_[0-9a-f]{48}`),
  tokenRule('crates-token', ['cio'], `cio${alphanumeric}{32}${end}`, isMixed),
  tokenRule('nuget-key', ['oy2'], `oy2[a-z0-9]{43}${end}`, isMixed),
  tokenRule('docker-token', ['dckr_pat_', 'dckr_oat_'], `dckr_[po]at_${word}{20,}`),
  tokenRule('artifactory-key', ['AKCp'], `AKCp${alphanumeric}{69}`),
  tokenRule('artifactory-key', ['cmVmdGtu'], `cmVmdGtu${alphanumeric}{56}`),
  tokenRule('packagist-token', ['packagist_'], `packagist_[ou][ru]t_[0-9a-f]{64,}`),
  tokenRule('clojars-token', ['CLOJARS_'], `CLOJARS_[0-9a-f]{60}`),
]

/** Words can also begin with short prefixes, but a key has digits among its letters. */
function isMixed(secret: string): boolean {
  return /[A-Za-z]\d/.test(secret.slice(3)) && isPlausible(secret)
}
