import { expect, it } from 'vitest';
import { librariesInScript } from './find-in-script.ts';

/** Marks of builds without comments, as minifiers write them. */
const found = (text: string) =>
  librariesInScript(text).libraries.map(({ library, version, oldest }) =>
    oldest === undefined ? `${library} ${version}` : `${library} ${oldest}..${version}`,
  );

it.each<[string, string]>([
  [
    'vuetify 2.6.9',
    'this.installed.push(e))},t.install=i.install,t.installed=!1,t.version="2.6.9",t.config={}',
  ],
  ['vuetify 2.1.0', 'this.installed.push(e))},t.install=kc,t.installed=!1,t.version="2.1.0",t}()'],
  ['jspdf 2.5.1', 'return 0===i},M.API={events:[]},M.version="2.5.1";var E=M.API'],
  ['luxon 3.2.0', 'e.SystemZone=Ze,e.VERSION="3.2.0",e.Zone=Fe'],
  ['mermaid 8.11.0', `t.exports=JSON.parse('{"name":"mermaid","version":"8.11.0","description":"x"}')`],
  ['codemirror 5.57.0', 'R.fromTextArea=nu,lu(R),R.version="5.57.0",R}))'],
  ['codemirror 5.50.0', 'R.contains=e,R.keyNames=iL,R.version="5.50.0",R}()'],
  ['gsap 3.0.1', 'ye("modifiers"),ye("snap",pi));M.version=z.version=Y.version="3.0.1";ri=1'],
  ['gsap 3.5.1', 'rc("modifiers"),kc("snap",Ua))||ne;Xt.version=Bt.version=ae.version="3.5.1",f=1'],
  ['swagger-ui 5.18.2', '{PACKAGE_VERSION:"5.18.2",GIT_COMMIT:"g1dd1f7cc",GIT_DIRTY:!0}'],
  ['swagger-ui 4.1.2', '!0,Xr="gf3d3898",eo="4.1.2",to="Fri, 26 Nov 2021 10:33:57 GMT";function no(e){}'],
  [
    'swagger-ui 3.20.8',
    'h="g291e2c72",v="3.20.8",m="jenins-swagger-oss",g="Sat, 16 Feb 2019 02:49:55 GMT";e.x',
  ],
  [
    'requirejs 2.3.6',
    String.raw`S="2.3.6",P=/\/\*[\s\S]*?\*\/|([^:"'=]|^)\/\/.*$/gm,R=/[^.]\s*require\s*\(\s*["']([^'"\s]+)["']\s*\)/g,j=/\.js$/`,
  ],
  ['xlsx 0.16.9', '!function(t){t.version="0.16.9";var n,a,s,i,o,l,c,f,h=1200,d=1252'],
  ['xlsx 0.18.5', 'var e={version:"0.18.5"},t=1200,r=1252'],
  ['xlsx 0.18.5', 'function make_xlsx_lib(e){e.version="0.18.5";var t,r'],
  ['angular-core 11.0.4', 'this.patch=e.split(".").slice(2).join(".")})("11.0.4")'],
  [
    'bootstrap 4.3.0',
    `{key:"VERSION",get:function(){return"4.3.0"}}]),t}();e(document).on(f.CLICK_DATA_API,'[data-dismiss="alert"]',d)`,
  ],
  [
    'axios 0.27.2',
    `,function(e,t){e.exports={version:"0.27.2"}},function(e,t,n){"use strict";var o=n(12).version,a={};i("[Axios v"+o+"] Transitional option")}`,
  ],
  ['datatables 1.11.1..1.11.2', 'w.version="1.11.1",w.settings=[]'],
  [
    'crypto-js 3.1.2..4.1.1',
    'r.EvpKDF=k,s.algo.PBKDF2=h.extend({cfg:{keySize:4,hasher:n,iterations:1}});s.PBKDF2=function(){}',
  ],
  [
    'd3-color 1.0.0..3.0.1',
    String.raw`var n="\\s*([+-]?\\d*\\.?\\d+(?:[eE][+-]?\\d+)?)\\s*",o=new RegExp("^hsla\\("+n)`,
  ],
  [
    'prismjs 1.11.0..1.29.0',
    'disableWorkerMessageHandler:_self.Prism,currentScript:function(){if("currentScript"in document)return document.currentScript}',
  ],
  [
    'swiper 4.0.0..6.5.0',
    'touchEventsTarget:"container",slidesPerGroup:1,slidesOffsetBefore:0,watchOverflow:!1,Object.defineProperty(s,"__proto__",{get})',
  ],
  [
    'highlightjs 9.0.0..10.4.0',
    String.raw`{built_in:"Byte Short",illegal:/fun\s+(<.*>)?[^\s\(]+(\s+[^\s\(]+)\s*=/,relevance:5}`,
  ],
  [
    'highlightjs 8.9.0..8.9.1',
    String.raw`{typename:"Byte Short",illegal:/fun\s+(<.*>)?[^\s\(]+(\s+[^\s\(]+)\s*=/,relevance:5}`,
  ],
])('finds %s in a build', (library, text) => expect(found(`a();${text}`)).toEqual([library]));

it.each<[string, string]>([
  ['a plugin of Vue', 'x.install=i,x.installed=!1,x.version="1.2.3",x'],
  ['other modules with a version', ',function(e,t){e.exports={version:"1.0.0"}}]);var o="[Axios"'],
  [
    'axios with two modules that state a version',
    ',function(e,t){e.exports={version:"1.0.0"}},function(e,t){e.exports={version:"0.27.2"}},function(e,t,n){var o=n(12).version;i("[Axios v"+o+"]")}',
  ],
  ['CryptoJS since 4.2', 's.EvpKDF=a,iterations:1};s.PBKDF2=c,{iterations:25e4}'],
  ['CryptoJS without PBKDF2', 's.EvpKDF={iterations:1}'],
  ['another user of PBKDF2', 'subtle.deriveBits({name:"PBKDF2",iterations:1})'],
  [
    'd3-color 3.1',
    String.raw`var n="\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*",o=new RegExp("^hsla\\("+n)`,
  ],
  [
    'Prism 1.30',
    'disableWorkerMessageHandler:1,if(document.currentScript&&"SCRIPT"===document.currentScript.tagName)return document.currentScript',
  ],
  [
    'Swiper 12.1.2',
    'touchEventsTarget:"wrapper",slidesPerGroup:1,slidesOffsetBefore:0,watchOverflow:!0,filter(e=>"__proto__"!==e&&"constructor"!==e)',
  ],
  ['the text of a build’s date', 'n="4.1.2",o="Fri, 26 Nov 2021 10:33:57 GMT"'],
])('finds nothing in %s', (_, text) => expect(found(`a();${text}`)).toEqual([]));
