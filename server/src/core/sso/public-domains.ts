/**
 * Domains whose addresses anybody may have: the large mail services, by the sign-up pages of Google, Microsoft, Apple, Yahoo, AOL, Proton, Zoho, GMX,
 * Mail.com, Yandex, Mail.ru, Naver, QQ, NetEase, Orange, Free, Tutanota and Fastmail, as of November 2026. The proof by DNS is the wall; this list makes
 * the answer sooner.
 */
const names = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.fr hotmail.es live.com msn.com passport.com outlook.fr outlook.es
  icloud.com me.com mac.com yahoo.com yahoo.co.uk yahoo.fr yahoo.es yahoo.co.in ymail.com rocketmail.com aol.com aim.com
  proton.me protonmail.com pm.me zohomail.com zoho.com gmx.com gmx.net gmx.de gmx.fr gmx.es mail.com email.com web.de
  yandex.com yandex.ru ya.ru mail.ru bk.ru inbox.ru list.ru naver.com qq.com foxmail.com 163.com 126.com yeah.net
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr tutanota.com tuta.com tuta.io fastmail.com hey.com`.split(/\s+/),
)

export const isPublicDomain = (domain: string): boolean => names.has(domain)
