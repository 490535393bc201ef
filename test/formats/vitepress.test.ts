import { testSite } from './siteTests';

// Its theme shows front matter. Vue makes of these names what it cannot read itself. HTML gets no base.
testSite('VitePress', { unfound: /^<img src="\/base|^---/, unshown: /it's/, judgesAlts: true });
