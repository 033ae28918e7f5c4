import { launchBrowser } from './e2e/stage.ts'
import { mkdirSync } from 'node:fs'
mkdirSync('/tmp/shots',{recursive:true})
const who=process.argv[2]??'admin', paths=process.argv.slice(3)
const b=await launchBrowser({maps:true})
const c=await b.newContext({viewport:{width:1366,height:900}})
const p=await c.newPage()
const errs:string[]=[]
p.on('console',m=>{if(m.type()==='error')errs.push(m.text())})
p.on('response',r=>{if(r.status()>=400&&r.url().includes('/app/api'))errs.push(r.status()+' '+r.request().method()+' '+r.url())})
await p.goto('http://127.0.0.1:18101/login')
await p.getByLabel('Mail address').fill(who+'@demo.test')
await p.getByLabel('Password',{exact:true}).fill('cold-river-stone-42')
await p.getByRole('button',{name:'Log in',exact:true}).click()
await p.waitForURL('**/dashboard')
await p.waitForTimeout(1500)
const agree=p.getByRole('button',{name:/accept|agree/i}); if(await agree.count()) {await agree.first().click().catch(()=>{})}
for(const path of paths){ errs.length=0
 await p.goto('http://127.0.0.1:18101'+path); await p.waitForTimeout(5000)
 const n=path.replace(/[^\w]+/g,'_').slice(0,60)
 await p.screenshot({path:`/tmp/shots/${who}${n}.png`,fullPage:true})
 console.log(path,'->',new URL(p.url()).pathname,errs.join(' ; ').slice(0,300))
}
await b.close()
