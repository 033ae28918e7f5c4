/** The browser and the system that an agent names; null: unknown ones. */
export interface AgentWords {
  browser: string | null
  system: string | null
}

// In this order: most browsers name others, too.
const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdge\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]
const firstOf = (agent: string, names: [RegExp, string][]) => names.find(([sign]) => sign.test(agent))?.[1] ?? null

/** Without versions: an update is no other browser. */
export const agentWords = (agent: string): AgentWords => ({
  browser: firstOf(agent, browsers),
  system: firstOf(agent, systems),
})
