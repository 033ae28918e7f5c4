// The CSP forbids eval, which zod would otherwise compile its schemas with. zod.config() would come too late: schemas
// decide while their modules load, and would bring zod to the login screen.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// The first frame shows index.html as it is; the app's own code, which takes longer to run, begins after it.
const begin = () => void import('./start.tsx')

if (document.hidden) begin()
else requestAnimationFrame(() => setTimeout(begin))
