import { testSite } from './siteTests';

testSite('MkDocs', { unfound: /=300x200/ });
