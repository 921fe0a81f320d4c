// Other names of sub-commands, from the manuals of the programs, where the generated facts do not have them.
// `name=alias,alias` with `;` between; a name of several words is a path, and so is an alias that begins with a slash.
export const aliasTable: Readonly<Record<string, string>> = {
  git: 'add=stage;remote remove=rm;stash push=save',
  yarn: 'publish=/npm publish;login=/npm login;logout=/npm logout;tag=/npm tag;audit=/npm audit;info=/npm info;whoami=/npm whoami;upgrade=up',
  composer:
    'require=r,req;remove=rm,uninstall;update=u,upgrade;install=i;show=info;run-script=run;exec=e;dump-autoload=dumpautoload;self-update=selfupdate;clear-cache=clearcache,cc;depends=why;prohibits=why-not;browse=home;create-project;config;global;archive',
  gradle: 'publish;publishToMavenLocal;uploadArchives;bootRun;assemble;installDist;deploy',
  rails: 'console=c;generate=g;destroy=d;server=s;dbconsole=db;runner=r;test=t;new',
  php: 'artisan migrate;artisan migrate:fresh;artisan migrate:refresh;artisan migrate:reset;artisan migrate:rollback;artisan db:seed;artisan db:wipe;artisan key:generate;artisan tinker;artisan serve;artisan queue:work;artisan queue:flush;artisan queue:clear;artisan cache:clear;artisan config:clear;artisan optimize;artisan down;artisan up;artisan schedule:run;artisan storage:link;artisan vendor:publish;artisan model:prune',
  podman:
    'run=/container run;rm=/container rm;stop=/container stop;kill=/container kill;start=/container start;exec=/container exec;create=/container create;restart=/container restart;pause=/container pause;unpause=/container unpause;commit=/container commit;cp=/container cp;attach=/container attach;export=/container export;logs=/container logs;rename=/container rename;ps=/container ls,/container list,/container ps;rmi=/image rm;build=/image build,/buildx build,/builder build;pull=/image pull;push=/image push;tag=/image tag;untag=/image untag;load=/image load;save=/image save;import=/image import;history=/image history;images=/image ls,/image list',
  docker: 'build=/buildx build,/buildx b,/builder build',
  pulumi: 'destroy=down,dn;up=update;preview=pre;stack rm=remove',
  gh: 'pr create=new;pr list=ls;release create=new;release list=ls;issue create=new;issue list=ls;codespace=cs;secret delete=remove;secret list=ls;variable delete=remove;variable list=ls;attestation=at;run list=ls;workflow list=ls;repo create=new;repo list=ls;gist create=new;gist list=ls;extension=ext,extensions;extension list=ls;label list=ls;cache list=ls;alias list=ls;config list=ls;gpg-key list=ls;ssh-key list=ls;ruleset=rs;ruleset list=ls;project list=ls;org list=ls',
  glab: 'mr=merge-request;mr merge=accept;mr list=ls;mr create=new;mr note=comment;mr delete=del;mr view=show;issue create=new;issue list=ls;issue view=show;issue delete=del;ci=pipe,pipeline;ci run=create;variable=var;variable delete=remove;variable list=ls;variable set=new,create;repo=project;repo list=ls;repo create=new;release list=ls;schedule=sched,skd',
  dnf: 'install=in,localinstall;remove=rm,erase;upgrade=up,update,localupdate;reinstall=rei;downgrade=dg;list=ls;search=se;info=if;history=hist;group=groups,grp;check-update=check-upgrade;distro-sync=dsync,distribution-synchronization;repoquery=rq;provides=prov,whatprovides;makecache=mc;autoremove;swap',
  zypper:
    'install=in;remove=rm;update=up;dist-upgrade=dup;search=se;refresh=ref;addrepo=ar;removerepo=rr;modifyrepo=mr;renamerepo=nr;info=if;verify=ve;install-new-recommends=inr;source-install=si;list-updates=lu;list-patches=lp;repos=lr;addlock=al;removelock=rl;clean=cc;shell=sh;services=ls;addservice=as;removeservice=rs;packages=pa;locks=ll;patch-check=pchk',
  brew: 'list=ls;uninstall=remove,rm;info=abv;home=homepage;link=ln;update=up;doctor=dr;search',
  npm: 'dist-tag add=a,set,s;dist-tag rm=r,d,del,delete;dist-tag ls=l,list',
  nomad: 'job stop=/stop;job run=/run;job status=/status',
  opam: 'install;remove=uninstall;upgrade;reinstall;switch;update;publish',
  cabal:
    'install=v1-install,v2-install,new-install;build=v1-build,v2-build,new-build;run=v1-run,v2-run,new-run;test=v1-test,v2-test,new-test;exec=v1-exec,v2-exec,new-exec;upload',
  istioctl: 'uninstall=/x uninstall,/experimental uninstall;install',
  flatpak: 'uninstall=remove;update=upgrade;install;run',
  conda: 'remove=uninstall;update=upgrade;env remove',
  vercel: 'remove=rm;list=ls;env remove=rm;env list=ls;domains remove=rm;alias remove=rm;certs remove=rm;dns remove=rm;secrets remove=rm',
  wrangler: 'deploy=publish;pages deploy=publish;delete;rollback',
  heroku:
    'apps:destroy=destroy,apps:delete;apps:create=create;apps:rename=rename;apps:info=info;apps:open=open;config:unset=config:remove;pg:psql=psql;pg:reset;ps:restart=restart,dyno:restart;ps:scale=dyno:scale,scale;ps:stop=dyno:stop,stop,dyno:kill,ps:kill,kill;releases:rollback=rollback;addons:destroy=addons:remove;auth:login=login;auth:logout=logout;access:remove=sharing:remove;pipelines:destroy;domains:remove;run=run:inside',
  doctl:
    'compute=c;compute droplet=d;compute droplet delete=d,del,rm;compute droplet create=c;compute droplet list=ls;compute volume delete=rm;compute snapshot delete=d,rm;compute image delete=d,rm;compute domain delete=d,rm;compute firewall delete=d,rm;compute load-balancer=lb;compute load-balancer delete=d,rm;compute ssh-key=k;compute ssh-key delete=d,rm;compute droplet-action=da;apps=app,a;apps delete=d,rm;databases=db,dbs,d,database;databases delete=rm;kubernetes=kube,k8s,k;kubernetes cluster=c;kubernetes cluster delete=d,rm;registry=reg,r;registry delete=d,del,rm;projects delete=d,rm',
  fly: 'apps destroy=delete,remove;machine=machines,m;machine destroy=delete,remove,rm;volumes=volume,vol;volumes destroy=delete,remove,rm;secrets unset=delete',
  railway: 'up=deploy;down=remove;delete',
  helm: 'uninstall=un,del,delete;install;upgrade',
  netlify: 'deploy;sites:delete;env:unset',
  pip: 'uninstall=remove',
  apt: 'remove;purge;install;autoremove;full-upgrade=dist-upgrade',
  choco: 'uninstall=remove;upgrade=update;install',
  mise: 'use=u;install=i;uninstall=remove,rm;exec=x;run=r',
}
