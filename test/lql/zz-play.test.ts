import { test } from 'vitest';
import { readFileSync } from 'node:fs';
import { openLqlWorld } from '/tmp/merge/test/lql/support/lql-world.ts';
import { compileLql } from '/tmp/merge/src/lql/compile/compile-lql.ts';
const rep = 'REPEATED';
const cols = [
 {name:'event_message',type:'STRING'},{name:'t',type:'STRING'},{name:'n',type:'INT64'},{name:'score',type:'FLOAT64'},{name:'price',type:'NUMERIC'},{name:'flag',type:'BOOL'},{name:'at',type:'DATETIME'},{name:'day',type:'DATE'},
 {name:'tags',type:'STRING',mode:rep},{name:'s1',type:'STRING'},{name:'item',type:'STRING',mode:rep},
 {name:'metadata',type:'RECORD',mode:rep,fields:[{name:'level',type:'STRING'},{name:'status',type:'INT64'},{name:'tags',type:'STRING',mode:rep},{name:'info',type:'RECORD',fields:[{name:'user',type:'STRING'}]},
  {name:'request',type:'RECORD',mode:rep,fields:[{name:'path',type:'STRING'},{name:'ms',type:'FLOAT64'}]}]},
];
const rows = [
 {id:'a',timestamp:'2026-11-20T05:00:00.25Z',event_message:'404 not found',n:1,score:1.5,flag:true,tags:['x','y'],item:['q'],metadata:[{level:'info',status:200,tags:['p','q'],info:{user:'u'},request:[{path:'/a',ms:1},{path:'/b',ms:2}]},{level:'error',status:500,request:[]}]},
 {id:'b',timestamp:'2026-11-20T05:59:59Z',metadata:[]},
];
test('play', async () => {
  await using world = await openLqlWorld(cols, rows, BigInt(Date.UTC(2026,10,20,6))*1000n);
  for (const q of readFileSync('/tmp/lql/q.txt','utf8').split('\n').filter(Boolean).map(x=>x.startsWith('JSON ')?JSON.parse(x.slice(5)):x)) {
    try { const r = await world.ask(q); console.log(q, '\n   ', JSON.stringify(r).slice(0,500)); }
    catch (e:any) { let sql=''; try {sql=compileLql(q,[{name:'events',columns:[{name:'id',type:{kind:'STRING'}}]}])} catch{}; console.log(q, '\n    ERR', e.code, e.code?e.message:e.stack); }
  }
}, 120000);
