"""Pairs of statements of many kinds: the same, newer, or another fact."""

from __future__ import annotations

import pytest

from memoro.memory.comparing import Relation, compare

SAME = """
The user favours dark roast coffee | The user prefers dark roast coffee
The user has two brothers | The user has 2 brothers
Ravi approves all production releases | All production releases are approved by Ravi
The scheduler retries failed jobs | Failed jobs are retried by the scheduler
The upload limit is 25 MB | Uploads are limited to 25 MB
The access token is valid for 60 minutes | The access token is valid for 1 hour
The user weighs 80 kg | User's weight is 80 kg
The user lives in Antwerp with two cats | The user lives in Antwerp
Deployments need two approvals and a green build | Deployments need two approvals
The user speaks Dutch, French and German | The user speaks French
Logs are shipped to Elasticsearch in production | Logs are shipped to Elasticsearch in prod
The user is a software developer | User works as a software developer
The user is lactose intolerant | The user is lactose intollerant
Remember that the tests need Docker | The tests need Docker
The user's birthday is on 14 February | The user was born on February 14
The user is employed at Farfield Systems | The user works for Farfield Systems
Farfield Systems is the user's employer | The user works at Farfield Systems
The user is married to Lena | Lena is the user's wife
The user's brother is Jonas | Jonas is the user's brother
Never commit secrets to the repository | Do not commit secrets to the repo
Don't use tabs in YAML files | Avoid tabs in YAML files
Always squash commits before merging | Commits must always be squashed before merging
Prefers composition over inheritance | Prefers composition to inheritance
The API returns JSON | JSON is returned by the API
The frontend is deployed on Vercel | The frontend is hosted on Vercel
The infra team owns the deploy scripts | The deploy scripts are owned by the infra team
Answers must be short | The user wants short answers
The release is scheduled for 3 June | The release is planned for June 3rd
Standup starts at 9:30 am | Stand-up begins at 09:30
The office closes at 18:00 | The office closes at 6 pm
The user doesn't like being called before 10 | The user does not like being called before 10
Use single quotes in JavaScript | In JavaScript, use single quotes
The user's favourite editor is Helix | The user's preferred editor is Helix
Mobile app: version 4.2 | The mobile app is at version 4.2
The migration to Kubernetes is complete | The migration to k8s is finished
The user usually works from home | The user normally works from home
The user has been learning Japanese since 2023 | The user is learning Japanese
The user uses Firefox as browser | The user's browser is Firefox
The staging server is at 10.0.0.12 | Staging server: 10.0.0.12
The user's kids go to school in Leuven | The user's children go to school in Leuven
The user loves spicy food | The user really loves spicy food!
The nightly job takes 45 minutes | The nightly job lasts 45 minutes
User's phone number is +32 470 12 34 56 | The user's phone is +32 470 12 34 56
Ask before deleting files | Always ask before deleting files
The user reports to Marta | Marta is the user's manager
The cluster has twelve nodes | The cluster has 12 nodes
O usuário trabalha na Nuvem Azul | O usuário é funcionário da Nuvem Azul
O usuário vive em Évora | O usuário mora em Évora
O nome do projeto é Farol | O projeto chama-se Farol
O usuário tem dois gatos | O usuário tem 2 gatos
A equipe de dados mantém o pipeline | O pipeline é mantido pela equipe de dados
O servidor de testes escuta na porta 8080 | A porta do servidor de testes é 8080
O relatório deve ser entregue em 10 de maio | O prazo do relatório é 10 de maio
O backup roda todo dia às 3h | O backup roda diariamente às 03:00
Não use abreviações nos nomes | Evite abreviações nos nomes
O usuário gosta muito de café | O usuário adora café
O usuário prefere chá a café | O usuário gosta mais de chá do que de café
Sempre rode o linter antes do commit | Rode sempre o linter antes do commit
O irmão do usuário é o Pedro | Pedro é o irmão do usuário
O projeto usa Kubernetes em produção | O projeto usa k8s em produção
O usuario nao come carne | O usuário não come carne
O tempo limite é de 1,5 s | O tempo limite é de 1500 ms
O usuário fala inglês, francês e alemão | O usuário fala francês
A API devolve JSON | A API retorna JSON
O usuário é casado com a Lena | A Lena é a esposa do usuário
A documentação fica em docs/guia.md | A documentação está em docs/guia.md
O limite de upload é 25 MB | O limite de upload é de 25 MB
O usuário nasceu em 14 de fevereiro | O aniversário do usuário é 14 de fevereiro
A migração para o Postgres terminou | A migração para o Postgres foi concluída
O usuário quer respostas em inglês | As respostas devem ser em inglês
用户在北京工作 | 用户工作在北京
用户的名字是李明 | 用户叫李明
用户喜欢喝咖啡 | 用户喜欢咖啡
数据库的端口是 5432 | 数据库端口：5432
用户不喝酒 | 用户从不喝酒
请在提交之前运行测试 | 提交前运行测试
会议在下午三点开始 | 会议下午3点开始
用户有两个孩子 | 用户有2个孩子
项目用 Go 写的 | 项目是用 Go 编写的
用户会说英语和法语 | 用户会说法语
用户偏好深色主题 | 用户更喜欢深色主题
默认编辑器是 Vim | 默认的编辑器是 Vim
Use conventional commits | Always use conventional commits for this project
The user's name is Marie Curie | I'm Marie Curie
My dog is called Biscuit | The user has a dog named Biscuit
The user is from Ghent | The user comes from Ghent
The user dislikes emojis in answers | The user doesn't want emojis in answers
The user prefers concise answers without preamble | User likes concise answers with no preamble
Please don't add comments to the code | Do not add comments to the code
The project requires Python 3.11 or newer | Python 3.11 or newer is required by the project
The user uses Arch Linux | The user runs Arch Linux
The user's OS is Arch Linux | Operating system: Arch Linux
We deploy every Friday | Deploys happen on Fridays
The database is hosted on AWS RDS | The DB is hosted in AWS RDS
The user works in the finance industry | The user is working in the finance industry
The meeting with Ana is at 15:00 | The meeting with Ana is at 3pm
The user doesn't know Rust | The user does not know Rust yet
The repo is at github.com/acme/atlas | Repo: github.com/acme/atlas
The user is vegetarian and has two kids | The user has two kids
The release branch is cut on Thursdays | On Thursdays, the release branch is cut
Don't touch the legacy folder | Never touch the legacy folder
Only admins can delete users | Users can be deleted only by admins
The user is currently reading Dune | The user is reading Dune
Ben reports to Ana | Ana is Ben's manager
The limit is 5 requests per second | The limit is five requests per second
The tests take about 10 minutes | The tests take about ten minutes
The file config.yml is ignored by git | Git ignores the file config.yml
The user prefers to be addressed informally | Prefers to be addressed informally
The invoices are sent on the 1st of each month | Invoices are sent on the first of each month
The production database is read only | The prod database is read-only
The user's partner is called Sam | The user's partner's name is Sam
The office is located in Ghent | The office is in Ghent
The retention period is 90 days | The retention period: 90 days
The API server runs on port 3000 | The API server listens on port 3000
The mobile team uses Flutter | Flutter is used by the mobile team
User's manager: Dana | The user's manager is Dana
The user avoids dairy | The user doesn't consume dairy
The user lives in Leuven, Belgium | The user lives in Leuven
The user works four days a week | The user works 4 days per week
All timestamps are stored in UTC | Timestamps are always stored in UTC
The customer portal was launched in 2021 | The customer portal launched in 2021
Use British spelling in the docs | In the docs, use British spelling
The user's keyboard layout is Dvorak | The user uses the Dvorak keyboard layout
The user is currently working on the importer | The user is working on the importer
Merge requests need two approvals | MRs need two approvals
Error messages should be in English | Error messages must be in English
The user wakes up at 6 am | The user gets up at 6:00
The CI pipeline takes 12 minutes | CI pipeline duration: 12 minutes
The user is a big fan of jazz | The user loves jazz
The user can't stand coriander | The user hates coriander
The lead developer is Noor | Noor is the lead developer
The domain expires on 2027-01-15 | The domain expires on 15 January 2027
The user has never used Rust | The user hasn't used Rust
The user's daughter was born in 2019 | The daughter of the user was born in 2019
The user does yoga every morning | Every morning the user does yoga
We use Postgres for everything | The project uses Postgres for everything
The worker polls the queue every 10 s | The worker polls the queue every ten seconds
Don't send emails after 18:00 | Never send e-mails after 6 pm
The team lead is Karim; the PO is Eva | The team lead is Karim
O usuário quer que as respostas sejam curtas | O usuário quer respostas curtas
O escritório fica em Braga | O escritório está localizado em Braga
O servidor de produção roda na porta 443 | A porta do servidor de produção é 443
A gestora do usuário é a Dana | Dana é a gestora do usuário
O gato do usuário se chama Tom | O nome do gato do usuário é Tom
O usuário tem 3 anos de experiência em Go | O usuário tem três anos de experiência em Go
O projeto exige Python 3.11 | O projeto precisa de Python 3.11
O usuário acorda às 6h | O usuário acorda às 06:00
As mensagens de erro devem estar em inglês | Mensagens de erro devem estar em inglês
Não envie e-mails depois das 18h | Nunca envie emails depois das 18h
O Rui é o líder da equipe de busca | O líder da equipe de busca é o Rui
O cliente paga 50 euros por mês | O cliente paga 50 € por mês
A API aceita no máximo 100 pedidos por segundo | A API aceita até 100 pedidos por segundo
O usuário é engenheiro de software | O usuário trabalha como engenheiro de software
O usuário prefere reuniões de manhã | O usuário gosta mais de reuniões de manhã
Usa aspas simples em JavaScript | Em JavaScript, usa aspas simples
O usuário está aprendendo alemão | O usuário está a aprender alemão
O deploy é feito às terças | Os deploys são feitos às terças
O relatorio e gerado toda segunda | O relatório é gerado toda segunda
用户的狗叫旺财 | 用户的狗名叫旺财
用户不吃猪肉 | 用户从来不吃猪肉
生产数据库是只读的 | 生产环境的数据库是只读的
用户每天早上跑步 | 用户每天早上都跑步
请用中文回答 | 回答请用中文
用户更喜欢简短的回答 | 用户喜欢简洁的回答
项目需要 Python 3.11 | 项目要求 Python 3.11
用户已婚 | 用户结婚了
会议时间是下午两点 | 会议时间是 14:00
用户是素食者 | 用户吃素
配置文件位于 /etc/app.toml | 配置文件在 /etc/app.toml
小李是用户的经理 | 用户的经理是小李
用户在阿里巴巴上班 | 用户在阿里巴巴工作
接口最多返回 100 条记录 | 接口至多返回100条记录
The user's favourite drink is tea | Tea is the user's favourite drink
The payments API requires an API key | An API key is required by the payments API
Backups are encrypted with AES-256 | Backups are encryptd with AES-256
The user is a freelance translator | User: freelance translator
The mail server is called hermes | The name of the mail server is hermes
Do not deploy on Fridays | Deploying on Fridays is forbidden
Commit messages are written in the imperative | Write commit messages in the imperative
The user needs reading glasses | Needs reading glasses
The user studied physics at Ghent University | The user studied physics at Ghent university
The user's home town is Bruges | The user's hometown is Bruges
The importer skips empty rows | Empty rows are skipped by the importer
The invoice total is rounded to two decimals | The invoice total is rounded to 2 decimals
The crawler respects robots.txt | Robots.txt is respected by the crawler
Prefers emacs to vim | Prefers Emacs over Vim
Wants explanations with examples | The user wants explanations with examples
Max file size is 5 MB | Maximum file size: 5 MB
The user runs Fedora on the laptop | On the laptop the user runs Fedora
The session lasts half an hour | The session lasts 30 minutes
The search index is rebuilt every night | The search index is rebuilt nightly
The user has three siblings | The user has 3 siblings
User lives in Kraków | User lives in Krakow
The team's retro is every second Friday | The team retro is every second Friday
Rate limit: 50 req/s | The rate limit is 50 req/s
Alice and Bob maintain the wiki | The wiki is maintained by Alice and Bob
The user dislikes phone calls | The user does not like phone calls
Use pnpm, not npm | Use pnpm instead of npm
The CLI prints JSON when --json is given | When --json is given, the CLI prints JSON
The user was born in 1988 | The user's year of birth is 1988
Ana takes care of the newsletter | Ana is responsible for the newsletter
The user favours quiet cafés | The user prefers quiet cafés
The user adores old maps | The user loves old maps
Docs must be reviewed before publishing | Review docs before publishing
Uses black and isort in the data repo | In the data repo, uses isort and black
The gateway validates every token | Every token is validated by the gateway
The nightly cron job creates the sitemap | The sitemap is created by the nightly cron job
Access codes expire after 20 minutes | Access codes expire after twenty minutes
The mailer retries four times | The mailer retries 4 times
The billing service runs on Java v21 | The billing service runs on Java 21
The socket timeout is 5 s | The socket timeout is 5000 ms
Onboarding takes 2 weeks | Onboarding takes 14 days
The table holds at most 1,000,000 rows | The table holds at most 1000000 rows
The user lives in Namur with his sister and works as a nurse | The user works as a nurse
The build needs CMake 3.28 and Ninja | The build needs Ninja
The user likes sailing, cooking and puzzles | The user likes puzzles
Staging runs on Kubernetes in Dublin | Staging runs on K8s in Dublin
Prefers TypeScript examples | Prefers TS examples
The events database is MongoDB | The events database is Mongo
The user is allergic to walnuts | The user is allergic to wallnuts
Contract tests require a local Kafka broker | Contract tests require a local Kafka brokker
the main branch of orion-api is trunk | The main branch of orion-api is trunk
Never force-push to release branches! | Never force push to release branches
The user has a parrot named Kiwi | User has parrot named Kiwi
Releases happen on Wednesdays | Releases happen every Wednesday
The user works for Nordlys | Nordlys is the user's employer
The user lives in Leiden | The user resides in Leiden
The user doesn't eat pork | The user does not eat pork
Avoid sleeps in the login tests | Do not use sleeps in the login tests
Always run the type checker before pushing | The type checker must always be run before a push
The grant report is due on 15 November 2026 | The grant report is due on 2026-11-15
The code freeze starts on 8 June | The code freeze starts on June 8th
Prefers tea over coffee | Would rather have tea than coffee
Milan is the user's cousin | The user's cousin is Milan
The trace collector listens on port 4317 | Trace collector: port 4317
The maps team owns the geocoder | The geocoder belongs to the maps team
The Heron rewrite is finished | The Heron rewrite has been completed
The user has worked at Nordlys since 2020 | The user works at Nordlys
The user switched from pip to uv | The user moved from pip to uv
Replies should be in Dutch | The user wants replies in Dutch
O usuário mora em Aveiro | O usuário reside em Aveiro
O usuário usa o Helix | Usuário usa Helix
O Tomás revisa os contratos da API | Os contratos da API são revisados pelo Tomás
A senha expira em trinta dias | A senha expira em 30 dias
O usuário é alérgico a camarão | O usuário é alérgico a camrão
O usuário prefere exemplos em inglês | O usuario prefere exemplos em ingles
Nos relatórios, usa LaTeX e pandoc | Usa pandoc e LaTeX nos relatórios
O projeto Brisa usa Rails 7 e está no ar desde março | O projeto Brisa usa Rails 7
Não fazer merge na véspera de feriado | Nada de merge na véspera de feriado
O usuário prefere reuniões curtas | O usuário prefere reuniões breves
O cluster de k8s fica em Dublin | O cluster de Kubernetes fica em Dublin
O intervalo de polling é de 3 s | O intervalo de polling é de 3000 ms
O backend exige Java v21 | O backend exige Java 21
A equipe de mapas é dona do geocodificador | O geocodificador pertence à equipe de mapas
A declaração vence em 30/04/2027 | A declaração vence em 30 de abril de 2027
O gato do usuário chama-se Figo | O gato do usuário se chama Figo
A Marta é prima do usuário | A prima do usuário é a Marta
O usuário gosta de trilhas, cinema e xadrez | O usuário gosta de cinema
O usuário não toma café | O usuário nunca toma café
Evitar mocks nos testes de pagamento | Não usar mocks nos testes de pagamento
O coletor de métricas escuta na porta 9100 | Coletor de métricas: porta 9100
O usuário trocou o npm pelo pnpm | O usuário migrou do npm para o pnpm
用户住在南京 | 用户居住在南京
会话的有效期为20分钟 | 会话的有效期为二十分钟
用户喜欢用 Helix 编辑器 | 用户喜欢用Ｈｅｌｉｘ编辑器
用户在武汉工作，是数据分析师 | 用户是数据分析师
不要在周五发布 | 周五不要发布
预发环境运行在 k8s 上 | 预发环境运行在 Kubernetes 上
用户使用 Zed，不使用 Vim | 用户使用Zed,不使用Vim
用户的爱好是摄影 | 用户的爱好：摄影
用户不喜欢香菜 | 用户讨厌香菜
用户有三个姐姐 | 用户有3个姐姐
"""

NEWER = """
The worker image is based on Debian 11 | The worker image is based on Debian 12
The web app needs Node 18 | The web app needs Node 20
The pipeline uses Terraform 1.5 | The pipeline now uses Terraform 1.8
The proxy listens on port 80 | The proxy listens on port 8080
The admin API runs on port 7000 | The admin API has moved to port 7001
The cache TTL is 5 minutes | The cache TTL is 5 seconds
Invoices are kept for 7 years | Invoices are kept for 10 years
The staging VM has 8 GB of RAM | The staging VM has 16 GB of RAM
A seat costs $9 per month | A seat costs $12 per month
The design team has four people | The design team has 5 people
The user smokes | The user doesn't smoke
Telemetry is turned off | Telemetry is turned on
Force pushes are forbidden | Force pushes are allowed
Prefers Go over Rust | Prefers Rust over Go
Build before you lint | Lint before you build
Likes trains better than planes | Likes planes better than trains
The user always reads the changelog | The user rarely reads the changelog
All pull requests need a review | Not all pull requests need a review
The user lives in Oslo | The user relocated to Bergen
The user lives in Oslo | The user now resides in Tromsø
The user works at Farfield Systems | The user now works at Blue Harbor
The user works at Farfield Systems | The user quit Farfield Systems and started at Blue Harbor
The user is a junior developer | The user is now a senior developer
The user is a QA engineer at Farfield | The user is a team lead at Farfield
The user's dentist is Dr. Claes | The user's dentist is now Dr. Peeters
The user is single | The user is in a relationship
The thesis is due on 1 March | The thesis is due on 15 March
The launch is in September | The launch has been moved to October
The demo is on Thursday | The demo was postponed to Friday
The team uses Jira | The team stopped using Jira
The team uses Jira for planning | The team replaced Jira with Linear for planning
The project is built with Maven | The project is now built with Gradle
The user's terminal is iTerm2 | The user's terminal is WezTerm
The CLI is written in Python | The CLI was rewritten in Rust
The SDK targets API v2 | The SDK targets API v3
Artifacts are stored in S3 | Artifacts are now stored in GCS
The main branch is called master | The main branch is called trunk
The wiki is at https://wiki.acme.example | The wiki is at https://docs.acme.example
The secrets live in /etc/app/secrets.env | The secrets live in /run/secrets/app.env
Karim owns the search index | Dana owns the search index now
The redesign is on hold | The redesign is in progress again
The incident is open | The incident has been resolved
The user wants verbose logs | The user wants terse logs
The user wants replies in French | The user wants replies in English
The user is vegetarian | The user is no longer vegetarian
The user eats fish | The user stopped eating fish
The user runs 10 km a week | The user runs 20 km a week
The laptop has macOS 13 | The laptop has macOS 14
The default shell is zsh | The default shell is fish
The worker needs QUEUE=high | The worker needs QUEUE=low
The frontend calls the backend over REST | The frontend calls the backend over GraphQL
The user has a car | The user has a car and a motorbike
The user lives in Oslo | The user has lived in Oslo since 2019
The tests run on Jenkins | The tests run on GitHub Actions now
Rosa leads the platform team | The platform team is led by Hugo now
The sprint lasts two weeks | The sprint lasts three weeks
The user goes to bed at 23:00 | The user goes to bed at 22:00
The user is 29 years old | The user is 30 years old
The user's rent is 850 euros | The user's rent is 900 euros
The meeting room is on the second floor | The meeting room is on the third floor
The password policy requires 12 characters | The password policy requires 16 characters
Maria is pregnant | Maria is not pregnant
The user's flight leaves at 14:20 | The user's flight leaves at 16:05
The feature is behind a flag | The feature is no longer behind a flag
The user prefers phone calls | The user prefers emails
The user prefers the aisle seat | The user prefers the window seat
The conference takes place in Ghent | The conference takes place in Bruges
The user drives a Volvo | The user sold the Volvo and drives a Tesla
Docs are written in Markdown | Docs are written in AsciiDoc
O usuário mora em Lisboa | O usuário agora mora no Rio de Janeiro
O usuário trabalha na Nuvem Azul | O usuário foi contratado pela Pedra Verde
O usuário é estagiário | O usuário foi promovido a analista
O projeto usa Node 18 | O projeto passou a usar Node 20
O banco de produção é o MySQL 5.7 | O banco de produção é o MySQL 8.0
A fila usa RabbitMQ | A fila agora usa Kafka
O time usa Slack | O time não usa mais Slack
A reunião é às 9h | A reunião passou para as 10h
O prazo é 3 de junho | O prazo foi prorrogado para 10 de junho
O plano custa R$ 50 | O plano custa R$ 60
O usuário prefere modo escuro | O usuário prefere modo claro
Os commits são assinados | Os commits não são assinados
O cache está ligado | O cache está desligado
O usuário sempre almoça às 12h | O usuário nem sempre almoça às 12h
Prefere Go a Rust | Prefere Rust a Go
Rode os testes antes do lint | Rode os testes depois do lint
A Ana é dona do serviço de busca | O Rui agora é dono do serviço de busca
A gerente do usuário é a Carla | A gerente do usuário é a Denise
O usuário está solteiro | O usuário está casado
O editor favorito do usuário é o Vim | O editor favorito do usuário é o Zed
O usuário bebe álcool | O usuário parou de beber álcool
A branch padrão é master | A branch padrão é main
O usuário tem 40 anos | O usuário tem 41 anos
Os logs ficam em /var/log/loja | Os logs ficam em /srv/log/loja
O projeto Atlas está pausado | O projeto Atlas foi retomado
O usuário tem uma filha | O usuário tem uma filha chamada Bia
O fuso horário do usuário é America/Sao_Paulo | O fuso horário do usuário é Europe/Lisbon
O worker tem 2 GB de memória | O worker tem 4 GB de memória
O usuário quer respostas longas | O usuário quer respostas curtas
Todos os testes passam | Nem todos os testes passam
O serviço é escrito em Java | O serviço foi reescrito em Kotlin
O usuário usa o Chrome | O usuário trocou o Chrome pelo Firefox
O usuário corre 5 km por dia | O usuário corre 7 km por dia
用户在华星公司工作 | 用户现在在蓝海公司工作
用户住在北京 | 用户搬去广州了
项目使用 Python 3.10 | 项目使用 Python 3.12
缓存时间是 5 分钟 | 缓存时间是 10 分钟
用户喜欢开车 | 用户不再喜欢开车
会议在周一举行 | 会议改到周二举行
截止日期是 3 月 1 日 | 截止日期延期到 3 月 8 日
日志功能已开启 | 日志功能已关闭
用户抽烟 | 用户戒烟了
用户更喜欢茶而不是咖啡 | 用户更喜欢咖啡而不是茶
服务运行在 AWS 上 | 服务运行在 GCP 上
用户的经理是王芳 | 用户的经理是赵敏
用户总是早起 | 用户不总是早起
服务器内存是 8 GB | 服务器内存是 16 GB
用户想要详细的回答 | 用户想要简短的回答
项目使用 npm | 项目从 npm 换成了 pnpm
用户有一只狗 | 用户有一只叫旺财的狗
用户是初级工程师 | 用户现在是高级工程师
用户未婚 | 用户已婚
Build command: npm run build | The build command is now pnpm build
The user's name is Marie | The user's name is Maria
My dog is called Biscuit | My dog is called Rex
The user is from Ghent | The user is from Bruges
The project is licensed under MIT | The project is licensed under Apache-2.0
The project requires Python 3.11 or newer | The project requires Python 3.12 or newer
Line length is 88 | Line length is 100
The user prefers concise answers | The user does not prefer concise answers
Add comments to the code | Do not add comments to the code
The user is learning Rust | The user is no longer learning Rust
The user drinks three cups of coffee a day | The user drinks two cups of coffee a day
The budget for the trip is 2000 EUR | The budget for the trip is 2500 EUR
The next release is 2.4 | The next release is 2.5
The user's favourite language is Python | The user's favourite language is Rust
The app is in beta | The app is generally available
Feature X is planned for Q3 | Feature X is planned for Q4
The project manager is Tom | The project manager is Lucy
The user's gym day is Monday | The user's gym day is Wednesday
The server room is locked | The server room is unlocked
The default timeout is 10s | The default timeout was increased from 10s to 20s
The user has a Pixel 7 | The user has a Pixel 8
The user's phone is an iPhone 13 | The user's phone is a Pixel 8
The contract ends in June | The contract ends in December
We deploy every Friday | We deploy every Tuesday
Max retries: 3 | Max retries: 5
The user wants to be called Bob | The user wants to be called Rob
The user never uses mocks | The user uses mocks
Reviews need one approval | Reviews need two approvals
The user can't swim | The user can swim
The office is open on Saturdays | The office is not open on Saturdays
The user is left-handed | The user is right-handed
The user's visa expires in March 2027 | The user's visa expires in May 2027
Alice is the owner of the auth module | Bob is the owner of the auth module
The wedding is on June 5 | The wedding was moved to July 9
Use tabs for indentation | Use spaces for indentation
The user prefers TypeScript to JavaScript | The user prefers JavaScript to TypeScript
The logging level is DEBUG | The logging level is INFO
The main database is MySQL | The main database is Postgres
The user's cat is 3 years old | The user's cat is 4 years old
The password rotates every 90 days | The password rotates every 30 days
The code freeze is from Monday to Wednesday | The code freeze is from Tuesday to Thursday
The API rate limit is 100 requests per minute | The API rate limit is 200 requests per minute
The office is in Ghent | The office moved to Bruges
The user's partner is called Sam | The user's partner is called Alex
The retention period is 90 days | The retention period was shortened to 30 days
The mobile team uses Flutter | The mobile team has switched to React Native
User's manager: Dana | User's manager: Eli
The user avoids dairy | The user eats dairy again
The user works four days a week | The user works five days a week
The customer portal is in maintenance | The customer portal is live
The user's keyboard layout is Dvorak | The user's keyboard layout is QWERTY
Merge requests need two approvals | Merge requests no longer need approvals
The user wakes up at 6 am | The user wakes up at 7 am
The lead developer is Noor | The lead developer is now Kim
The domain expires on 2027-01-15 | The domain expires on 2028-01-15
The cluster runs in eu-west-1 | The cluster runs in us-east-1
The worker polls the queue every 10 s | The worker polls the queue every 30 s
The docs are built with Sphinx | The docs are built with MkDocs
The user supports Arsenal | The user no longer supports Arsenal
The release train leaves on Wednesdays | The release train leaves on Thursdays
The user's shoe size is 42 | The user's shoe size is 43
The cache is enabled | The cache has been disabled
The coverage threshold is 80% | The coverage threshold is 85%
The user's salary is 4,000 euros | The user's salary is 4,200 euros
Tests are mandatory | Tests are optional
The laptop has 16 GB of RAM | The laptop was upgraded to 32 GB of RAM
Eva is the product owner | Finn is the product owner
The staging environment is shared | The staging environment is no longer shared
Public holidays are paid | Public holidays are not paid
Log files are rotated weekly | Log files are rotated daily
The user is engaged | The user is married
The user prefers Celsius | The user prefers Fahrenheit
Use double quotes | Use single quotes
The user goes by Alex | The user goes by Sasha
The user's flight is on Friday | The user's flight is on Saturday
The base image is ubuntu:22.04 | The base image is debian:12
The endpoint returns 404 for missing users | The endpoint returns 410 for missing users
The user has been to Japan twice | The user has been to Japan three times
The config format is YAML | The config format is TOML
Support hours are 9 to 17 | Support hours are 8 to 18
The user is on the free plan | The user is on the premium plan
The user needs glasses | The user doesn't need glasses anymore
The user's visa was rejected | The user's visa was approved
The build server has 8 cores | The build server has 16 cores
The user studies at KU Leuven | The user studies at UGent now
The repository is private | The repository is public
The user is afraid of flying | The user is no longer afraid of flying
O escritório fica em Braga | O escritório mudou para o Porto
O usuário acorda às 6h | O usuário acorda às 7h
A gestora do usuário é a Dana | A gestora do usuário agora é a Eli
O projeto exige Python 3.11 | O projeto exige Python 3.12
O cliente paga 50 euros por mês | O cliente paga 60 euros por mês
O portal está em manutenção | O portal está no ar
O usuário é engenheiro de software | O usuário agora é gerente de produto
O usuário usa aspas simples | O usuário passou a usar aspas duplas
A cobertura mínima é 80% | A cobertura mínima é 85%
O repositório é privado | O repositório é público
Os feriados são pagos | Os feriados não são pagos
O usuário quer o resumo em inglês | O usuário quer o resumo em português
O usuário tem medo de avião | O usuário não tem mais medo de avião
O time de apps usa Flutter | O time de apps migrou para React Native
A licença do projeto é MIT | A licença do projeto é Apache-2.0
O usuário foi ao Japão duas vezes | O usuário foi ao Japão três vezes
O usuário é noivo da Ana | O usuário casou com a Ana
A próxima versão é a 2.4 | A próxima versão é a 2.5
O voo do usuário sai às 14:20 | O voo do usuário sai às 16:05
O Rui é o líder da equipe de busca | A Ana é a líder da equipe de busca
O banco de dados principal é MySQL | O banco de dados principal é Postgres
Use espaços para indentação | Use tabs para indentação
O usuário mede 1,80 m | O usuário mede 1,82 m
O usuário come glúten | O usuário evita glúten
用户的狗叫旺财 | 用户的狗叫来福
项目需要 Python 3.11 | 项目需要 Python 3.12
用户是前端工程师 | 用户现在是后端工程师
用户在阿里巴巴上班 | 用户跳槽到了字节跳动
主数据库是 MySQL | 主数据库是 Postgres
用户每天跑5公里 | 用户每天跑8公里
仓库是私有的 | 仓库是公开的
请用中文回答 | 请用英文回答
月费是 50 元 | 月费是 60 元
用户的时区是 Asia/Shanghai | 用户的时区是 Asia/Tokyo
用户养了一只猫 | 用户养了两只猫
发布时间是周三 | 发布时间改到了周四
重试次数是 3 次 | 重试次数是 5 次
办公室在上海 | 办公室搬到了苏州
用户用 Vim | 用户从 Vim 换到了 Emacs
The rate limit is 50 req/s | The rate limit is 80 req/s
The user's favourite drink is tea | The user's favourite drink is coffee
The session lasts 30 minutes | The session lasts an hour
The user plays chess on Sundays | The user no longer plays chess
Max file size is 5 MB | Max file size was raised to 10 MB
The mail server is called hermes | The mail server is called iris
Deploying on Fridays is forbidden | Deploying on Fridays is allowed
The user has three siblings | The user has four siblings
Commit messages are written in English | Commit messages are written in Dutch
The build uses Gradle 7 | The build uses Gradle 8
The search index is rebuilt nightly | The search index is rebuilt hourly
Prefers emacs to vim | Prefers vim to emacs
The user's hometown is Bruges | The user's hometown is Kortrijk
The importer skips empty rows | The importer doesn't skip empty rows
Use pnpm, not npm | Use npm, not pnpm
The newsletter goes out on Tuesdays | The newsletter goes out on Thursdays
The demo server is up | The demo server is down
The budget is 10k | The budget is 12k
The user works part-time | The user works full-time
Ana is responsible for the newsletter | Bram is responsible for the newsletter
The office dog is called Kaya | The office dog is called Nala
The user's train leaves at 7:42 | The user's train leaves at 7:51
The font size is 12 | The font size is 14
The default language is English | The default language is French
The license key expires in June | The license key expires in July
Reviews are optional for docs | Reviews are mandatory for docs
The user reads one book a month | The user reads two books a month
Alpha testing is planned for October | Alpha testing has slipped to November
Sam is the scrum master | Robin is the scrum master
The client uses TLS 1.2 | The client uses TLS 1.3
The theme is dark | The theme is light
The log level in production is INFO | The log level in production is WARN
The user pays rent monthly | The user pays rent quarterly
The queue is Redis-based | The queue is Kafka-based
Employees get 25 days of leave | Employees get 30 days of leave
The bike is in the garage | The bike is in the cellar
The user has not been vaccinated | The user has been vaccinated
The user likes cilantro | The user doesn't like cilantro anymore
The billing database runs MySQL 5.7 | The billing database runs MySQL 8.0
CI needs Node 18 | CI needs Node 20
The scripts need Ruby 3.1 | The scripts need Ruby 3.2 or later
The preview server listens on port 4000 | The preview server listens on port 4001
The auth proxy is on port 9000 | The auth proxy now listens on port 9100
The read timeout is 10 s | The read timeout is 10 min
Avatars are cached for 1 hour | Avatars are cached for 6 hours
Each pod gets 256 MB of memory | Each pod gets 1 GB of memory
The team plan costs 40 euros a month | The team plan costs 45 euros a month
The design guild has eight members | The design guild has 9 members
The user smokes cigars | The user does not smoke cigars
Caching is enabled for guest users | Caching is disabled for guest users
Rebase merges are allowed in orion-api | Rebase merges are not allowed in orion-api
Prefers trains over buses | Prefers buses over trains
Seed the cache before the rollout | Seed the cache after the rollout
Likes novels more than essays | Likes essays more than novels
The user always wants a summary at the end | The user does not always want a summary at the end
The user never travels by plane | The user sometimes travels by plane
The user lives in Leiden | The user moved to Delft
The user lives in Leiden | The user probably lives in Utrecht now
The relaunch is planned for May | The relaunch will most likely happen in July instead
The user works at Nordlys | The user left Nordlys and joined Kitebird
The user is employed by Nordlys | The user now works for Kitebird
The user is a frontend developer at Kitebird | The user is now a product designer at Kitebird
Lena is the user's mentor | The user's mentor is now Paul
The visa application is due on 4 May | The visa application is due on 11 May
Version 3.0 ships in April | Version 3.0 has been pushed back to June
The guild uses Miro | The guild no longer uses Miro
The user's main browser is Firefox | The user's main browser is Vivaldi
The scheduler is written in Ruby | The scheduler has been rewritten in Rust
The partner app calls API v3 | The partner app calls API v4
Weekly snapshots go to S3 | Weekly snapshots now go to B2 instead
The trunk of orion-api is develop | The trunk of orion-api is main
The status page is https://status.heron.example | The status page is https://up.heron.example
The maps team owns the geocoder | The search team owns the geocoder now
The Heron rewrite is in progress | The Heron rewrite is done
Project Kestrel is on hold | Work on Project Kestrel has resumed
The user wants long, thorough reviews | The user wants short reviews
The user wants summaries in French | The user wants summaries in English from now on
The user is pescatarian | The user is no longer pescatarian
The user swims 1 km every day | The user swims 2 km every day
The user's desktop runs Debian 11 | The user's desktop runs Debian 12
Lesson: the exporter needs MODE=fast | Lesson: the exporter needs MODE=safe
The portal talks to the ledger over SOAP | The portal talks to the ledger over REST
The user has a parrot | The user has a parrot named Kiwi
The build needs CMake 3.28 | The build needs CMake 3.28 and Ninja
The user works at Kitebird | The user has worked at Kitebird since January 2025
Lena reviews the schema changes | The schema changes are now reviewed by Tomas
The user takes one spoon of honey in tea | The user takes no honey in tea any more
PR 77 in orion-api is open | PR 77 in orion-api was closed
O usuário mora em Aveiro | O usuário mudou-se para Viseu
O usuário mora em Aveiro | Parece que o usuário agora mora em Leiria
O usuário trabalha na Pontual | O usuário saiu da Pontual e foi para a Nexo
O usuário é desenvolvedor na Nexo | O usuário agora é arquiteto na Nexo
O projeto Brisa usa Rails 6.1 | O projeto Brisa usa Rails 7.1
O proxy usa a porta 8080 | O proxy usa a porta 8090
A sessão dura 10 minutos | A sessão dura 10 horas
O plano anual custa 300 reais | O plano anual custa 350 reais
O usuário fuma | O usuário não fuma mais
Os testes de carga rodam no CI | Os testes de carga não rodam no CI
Prefere chá verde a chá preto | Prefere chá preto a chá verde
O usuário sempre responde de manhã | O usuário nem sempre responde de manhã
A entrega final é em 3 de março | A entrega final foi adiada para 20 de março
A equipe usa Trello para o backlog | A equipe trocou o Trello pelo Jira para o backlog
O usuário usa Bash | O usuário deixou de usar Bash
O projeto Vento está em andamento | O projeto Vento foi suspenso
A chefe do usuário é a Carla | O chefe do usuário agora é o Davi
O usuário tem uma irmã | O usuário tem uma irmã chamada Rita
O usuário trabalha na Nexo | O usuário trabalha na Nexo desde janeiro de 2025
O usuário quer respostas em tom casual | O usuário quer respostas em tom formal
O editor padrão do usuário é o Vim | O editor padrão do usuário é o Zed
O usuário dorme 6 horas por noite | O usuário dorme 8 horas por noite
A loja fica na rua Augusta | A loja mudou para a rua Oscar Freire
用户住在北京 | 用户已经搬到成都了
支付服务使用 Java 17 | 支付服务使用 Java 21
前端服务器监听 3000 端口 | 前端服务器监听 4000 端口
用户喝牛奶 | 用户不喝牛奶
合并前总是要评审 | 合并前不一定要评审
比起喝茶，用户更喜欢喝咖啡 | 比起喝咖啡，用户更喜欢喝茶
团队使用飞书沟通 | 团队不再使用飞书沟通
用户在东方软件工作 | 用户离开东方软件，加入了南山智能
登录的超时时间是 10 秒 | 登录的超时时间是 30 秒
海鸥项目正在进行中 | 海鸥项目已经完成
用户的主力编辑器是 Vim | 用户的主力编辑器是 Emacs
报告的截止日期是6月1日 | 报告的截止日期改为6月15日
用户每晚睡六个小时 | 用户每晚睡八个小时
用户的女儿三岁 | 用户的女儿四岁
"""

OTHER = """
Wants two-space indentation in YAML | Wants two-space indentation in JSON
The dev environment uses SQLite | The prod environment uses Postgres
The user drinks tea at work | The user drinks wine at home
The user plays tennis on Tuesdays | The user plays tennis on Saturdays
Caching is on for images | Caching is off for videos
The user lives in Oslo | The user's parents live in Bergen
The user lives in Oslo | The user studied in Bergen
The user's laptop is a ThinkPad | The user's phone is a Pixel
The user likes hiking | The user likes chess
The user has a brother | The user has a sister
The user plays guitar | The user plays piano
The user knows Kotlin | The user knows Swift
The user is allergic to penicillin | The user is allergic to pollen
Uses Figma for mockups | Uses Miro for workshops
The user writes Go at work | The user writes Rust at home
The v1 API is deprecated | The v2 API is stable
node-1 is down | node-2 is down
The iOS app is written in Swift | The Android app is written in Kotlin
Anna mentors Ben | Ben mentors Carl
The user's mother is called Els | The user's daughter is called Mia
lib/auth.ts exports login | lib/session.ts exports login
Issue 88 is fixed | Issue 89 is open
POST /users needs a token | GET /users is public
The tag v1.0 is signed | The tag v1.1 is not signed
The email worker uses 2 threads | The image worker uses 8 threads
The report is due on Monday | The slides are due on Tuesday
The user works at Blue Harbor | The user's brother works at Farfield
Omar leads the search team | Priya leads the cart team
The Atlas project is finished | The Borealis project is paused
The billing service writes to Kafka | The billing service reads from Postgres
The user does not like olives | The user does not like mushrooms
Prefers cats over dogs | Prefers trains over planes
The web client needs Node 20 | The CLI needs Python 3.12
Wants error messages in English | Wants the UI in Dutch
The user's first language is Dutch | The user's second language is French
The user was in Rome in May | The user was in Paris in June
Alice reviewed PR 12 | Alice reviewed PR 14
The backup runs at 02:00 | The cleanup runs at 03:00
The user is learning guitar | The user is learning Spanish
Lin depends on Kai for reviews | Kai depends on Lin for deployments
The lexer feeds the parser | The parser feeds the lexer
Migrate users from MySQL to Postgres | Migrate orders from MySQL to Postgres
The user wants tests for the parser | The user wants docs for the parser
Tests must not use the network | Tests must not use the clock
The max upload size is 10 MB | The max image width is 1000 px
The cron job runs every 5 minutes | The health check runs every 30 seconds
The user's car is red | The user's bike is blue
The user takes the train to work | The user takes the bus to school
In Rust, prefer iterators over loops | In Go, prefer loops over iterators
The west region has 3 replicas | The east region has 5 replicas
Ben is the user's son | Ben is the team's designer
When CI fails, ask Ana | When the deploy fails, ask Rui
The orders table has 2 million rows | The users table has 3 million rows
The user reads on a Kindle | The user writes on a Mac
The user bought a house in 2020 | The user bought a car in 2021
Team A meets on Mondays | Team B meets on Tuesdays
The logo is blue | The background is white
The user likes working with Ana | The user likes working with Rui
The API key for Stripe is in the vault | The API key for Mailgun is in the env file
O ambiente de testes usa SQLite | O ambiente de produção usa Postgres
O usuário toca violão | O usuário toca piano
O usuário joga tênis às terças | O usuário joga tênis aos sábados
O usuário mora em Lisboa | Os pais do usuário moram em Faro
O usuário gosta de praia | O usuário gosta de cinema
O serviço A escuta na porta 80 | O serviço B escuta na porta 81
A issue 12 está fechada | A issue 13 está aberta
O relatório sai às segundas | A fatura sai às sextas
A mãe do usuário se chama Rosa | A filha do usuário se chama Bia
O usuário usa Figma para telas | O usuário usa Miro para mapas
Em Go, prefere nomes curtos | Em Java, prefere nomes longos
O usuário não come carne | O usuário não bebe leite
A Ana lidera a equipe de busca | O Rui lidera a equipe de dados
O usuário tem um carro | O usuário tem uma moto
O script de carga lê o CSV | O script de limpeza apaga o CSV
O parser chama o lexer | O lexer chama o parser
O usuário é alérgico a leite | O usuário é alérgico a amendoim
O limite de tempo da API é 5 s | O limite de tempo do worker é 9 s
O usuário estuda alemão | O usuário estuda japonês
Quando a build falhar, avise a Ana | Quando o deploy falhar, avise o Rui
A prova de física é na segunda | A prova de química é na quinta
O usuário viajou para o Chile em maio | O usuário viajou para o Peru em junho
用户喜欢爬山 | 用户喜欢游泳
用户有一只狗 | 用户有一个妹妹
订单服务用 Java 写 | 支付服务用 Go 写
用户的妈妈住在成都 | 用户的爸爸住在重庆
开发环境用 SQLite | 生产环境用 Postgres
用户周一健身 | 用户周三健身
任务 12 已完成 | 任务 13 未开始
用户对花生过敏 | 用户对牛奶过敏
用户在学日语 | 用户在学法语
小王管理小李 | 小李管理小王
用户用 Figma 画图 | 用户用 Notion 记笔记
用户喜欢狗 | 用户害怕狗
The user's name is Marie | The user's sister's name is Maria
The user's dog is called Biscuit | The user's cat is called Rex
The user wants no emojis in answers | The user wants emojis in commit messages
Don't add comments to generated files | Add comments to public functions
The project uses React | The project uses Redux
The project uses Tailwind for styling | The project uses Vitest for testing
The user drinks coffee | The user drinks tea
The parser is slow on large files | The parser is slow on Windows
The crash is caused by a null pointer | The slowdown is caused by a missing index
The build fails on Windows | The build passes on Linux
Lucy is on vacation until Monday | Tom is on vacation until Friday
Tom works with Lucy | Tom works with Ana
Tom likes Lucy | Lucy likes Tom
The user visited Japan | The user visited Korea
The user has an appointment on Monday | The user has an appointment on Thursday
The user speaks fluent Spanish | The user speaks basic French
The user is afraid of spiders | The user is afraid of heights
service/auth needs 2 CPUs | service/cart needs 4 CPUs
The header is 60 px high | The footer is 40 px high
The image is 800 px wide | The image is 600 px high
Step 1 installs dependencies | Step 2 builds the app
The lint step takes 2 minutes | The test step takes 9 minutes
The retry limit for uploads is 3 | The retry limit for downloads is 5
Set LOG_LEVEL to debug in development | Set LOG_LEVEL to warn in production
Set DB_HOST to localhost | Set DB_PORT to 5432
DB_HOST=localhost | DB_USER=admin
The foo() function returns a list | The bar() function returns a dict
The user's birthday is in May | The user's exam is in May
The user prefers mornings for meetings | The user prefers evenings for coding
The user's team uses Scrum | The user's company uses Slack
Ana is the user's sister | Ana is the user's boss
The user's son is 5 years old | The user's daughter is 7 years old
The user is a member of the chess club | The user is a member of the rowing club
The user teaches maths | The user teaches physics
The user has worked at Google | The user has worked at Amazon
The queue consumer is idempotent | The queue producer is transactional
Backups of the orders database run at 2:00 | Backups of the users database run at 3:00
The error E1001 means bad input | The error E1002 means timeout
In 2023 the user lived in Rome | In 2021 the user lived in Paris
The user used to play football | The user plays tennis
If tests fail, stop | If lint fails, warn
The user wants dark mode in the editor | The user wants light mode in the terminal
The CEO is Ana | The CTO is Rui
The user's grandmother is called Maria | The user's grandfather is called Mario
The left button saves | The right button cancels
Requests to /v1 are throttled | Requests to /v2 are not throttled
The user needs glasses | The user needs a new laptop
GPU jobs run in us-east-1 | CPU jobs run in eu-west-1
The user is taking antibiotics | The user is taking vitamin D
The laptop is charging | The phone is charging
Ana sent the report to Rui | Rui sent the report to Ana
The user flew from Lisbon to Paris | The user flew from Paris to Lisbon
Convert PNG to WebP | Convert WebP to PNG
Carol taught Dave | Dave taught Carol
The client calls the server before auth | The server calls the client after auth
The user's blood type is A+ | The user's shoe size is 42
The API server runs on port 3000 | The web server runs on port 4000
The user's partner is called Sam | The user's dog is called Max
Invoices are sent on the 1st | Reminders are sent on the 15th
The backend team uses Go | The data team uses Python
All timestamps are in UTC | All amounts are in euros
The user plays in a band | The user sings in a choir
Error messages are in English | Log messages are in French
The user has a meeting with Ana on Monday | The user has a meeting with Rui on Tuesday
The login page uses OAuth | The admin page uses SAML
The user is good at maths | The user is good at chess
eu-west-1 hosts the API | us-east-1 hosts the website
The user wants to learn Rust | The user wants to learn piano
The user's mother is from Spain | The user's father is from Italy
The unit tests use SQLite | The integration tests use Postgres
PR 101 adds caching | PR 102 adds logging
The cat is called Tom | The hamster is called Jerry
The Android build is broken | The iOS build is green
The user enjoys running in the morning | The user enjoys reading in the evening
The user bought a ThinkPad in 2022 | The user bought a MacBook in 2024
Use tabs in Makefiles | Use spaces in Python files
The header uses Roboto | The body uses Inter
The user had COVID in 2021 | The user had surgery in 2023
Alice trained the model | Bob labelled the data
Room 3 seats 8 people | Room 5 seats 12 people
The user met Ana in Lisbon | The user met Rui in Porto
Customers in Germany pay 19% VAT | Customers in France pay 20% VAT
The user likes the idea of microservices | The user likes the simplicity of monoliths
The flaky test is test_login | The slow test is test_export
The orders API is owned by team Falcon | The users API is owned by team Eagle
On weekdays the user gets up at 6 | On weekends the user gets up at 9
In winter the user skis | In summer the user surfs
The user was promoted in 2020 | The user was married in 2021
Ana is older than Rui | Rui is older than Ana
Replace foo with bar | Replace bar with foo
The primary region is eu-west-1 | The backup region is eu-central-1
The first interview is on Monday | The second interview is on Thursday
The user's left knee hurts | The user's right wrist hurts
Port 80 is open | Port 22 is closed
The old API uses XML | The new API uses JSON
Version 1 used XML | Version 2 uses JSON
The user recommended the book Dune | The user recommended the film Alien
Wants tests for new code | Wants docs for new code
The API gateway is written in Go | The API gateway is deployed in Frankfurt
Anna speaks German | Anna speaks Dutch
The alert fires when CPU is above 90% | The alert fires when memory is above 80%
The user's goal is to run a marathon | The user's goal is to read 20 books
User is not a native English speaker | User is a native Dutch speaker
The server has 2 disks | The server has 4 network cards
The user's aunt lives in Canada | The user's uncle lives in Australia
Each tenant has its own schema | Each tenant has its own domain
The user's manager is Dana | Dana's manager is Eli
Never deploy on Fridays | Never deploy without a review
The user dislikes long meetings | The user likes short meetings
O usuário trabalha na Acme | O usuário estuda na UFMG
A equipe de backend usa Go | A equipe de dados usa Python
O pai do usuário é do Chile | A mãe do usuário é do Peru
A fatura é enviada no dia 1 | O lembrete é enviado no dia 15
O usuário é bom em xadrez | O usuário é bom em matemática
O usuário quer aprender piano | O usuário quer aprender japonês
O teste lento é o de exportação | O teste instável é o de login
No inverno o usuário esquia | No verão o usuário surfa
A porta 80 está aberta | A porta 22 está fechada
A versão 1 usava XML | A versão 2 usa JSON
A Ana enviou o relatório ao Rui | O Rui enviou o relatório à Ana
O cabeçalho usa Roboto | O corpo usa Inter
O usuário comprou um carro em 2020 | O usuário comprou uma casa em 2022
O usuário mora com os pais | O usuário mora em Braga
O usuário prefere vinho tinto | O usuário prefere carne vermelha
Nunca faça deploy na sexta | Nunca faça deploy sem revisão
O Pedro é irmão do usuário | O Pedro é chefe do usuário
O serviço de login usa OAuth | O serviço de admin usa SAML
用户的狗叫旺财 | 用户的猫叫咪咪
用户的爸爸是医生 | 用户的妈妈是老师
用户在北京出生 | 用户在上海工作
登录页面用 OAuth | 管理页面用 SAML
周一开例会 | 周五做演示
用户擅长数学 | 用户擅长下棋
用户想学钢琴 | 用户想学日语
80 端口开放 | 22 端口关闭
后端用 Go | 数据团队用 Python
用户爱吃苹果 | 用户爱吃香蕉
小李把报告发给小王 | 小王把报告发给小李
用户怕狗 | 用户怕高
The rate limit for reads is 50 | The rate limit for writes is 10
The user's favourite drink is tea | The user's favourite book is Dune
The mail server is called hermes | The web server is called iris
The user plays chess | The user plays go
The importer skips empty rows | The exporter adds empty rows
The user studied physics | The user studied law
Wants explanations with examples | Wants summaries with bullet points
The user runs Fedora on the laptop | The user runs Windows on the desktop
Ana is responsible for the newsletter | Bram is responsible for the website
The session lasts 30 minutes | The break lasts 10 minutes
The user pays rent monthly | The user pays insurance yearly
The bike is in the garage | The car is in the driveway
The demo server is up | The test server is down
Employees get 25 days of leave | Interns get 10 days of leave
The user has a piano | The user has a violin
The user collects stamps | The user collects coins
The user volunteers at the library | The user volunteers at the shelter
Feature A depends on feature B | Feature C depends on feature B
The user wrote the parser | The user wrote the linter
The user is scared of dogs | The user is scared of flying
The user takes vitamin D in the morning | The user takes magnesium in the evening
In tests, use fake timers | In tests, use real databases
config.dev.yml sets DEBUG=1 | config.prod.yml sets DEBUG=0
The orders page loads in 2 s | The search page loads in 4 s
The user's boss is Eva | The user's boss's assistant is Tim
Tim trained Eva | Eva trained Tim
The user has a meeting at 10 | The user has a call at 11
The x86 build is green | The ARM build is red
The user thinks in German | The user counts in French
The intern is called Max | The director is called Eva
Do not use globals in tests | Do not use sleeps in tests
The user wants to visit Peru | The user wants to visit Chile
Send invoices to Eva | Send contracts to Tim
Ask Eva about billing | Ask Tim about hosting
Errors are logged to Sentry | Metrics are sent to Grafana
The user owns a flat in Ghent | The user owns a house in Namur
The bug appears on Safari | The bug appears on Firefox
The user bakes bread on Saturdays | The user cooks soup on Sundays
The migration adds a column | The migration drops a table
The first release was in 2019 | The last release was in 2024
Wants three-space indentation in Ada | Wants three-space indentation in Pascal
The preview cluster is shared | The live cluster is shared
Uses a split keyboard at work | Uses a split keyboard at home
The user fasts on Mondays | The user fasts on Thursdays
Tracing is on in preview | Tracing is off in production
The user lives in Leiden | The user's studio is in Delft
The parser service is written in OCaml | The parser service listens on port 7171
The user's birthday is 2 March | The user's name day is 9 March
The user likes dumplings | The user likes falafel
The user knows Haskell | The user knows Scala
The user speaks Finnish | The user speaks Danish
Uses Bruno for API checks | Uses Locust for load tests
The user writes R at work | The user writes C++ at work
The v3 endpoint returns CSV | The v4 endpoint returns Parquet
worker-a needs Kafka | worker-b needs Kafka
The admin panel is a Vue 3 app | The driver app is a Vue Native app
Lena mentors Paul | Paul manages Lena
Milan is the user's cousin | Petra is the user's aunt
Lena is the user's mentor | Paul is Lena's mentor
src/geo/tiles.py is generated | src/geo/routes.py is generated
Ticket OPS-204 is blocked by the vendor | Ticket OPS-240 is blocked by the vendor
The branch release/5.0 is frozen | The branch release/5.1 is frozen
The ops UI listens on port 9443 | The guest UI listens on port 443
The visa is due on 4 May | The passport is due on 11 May
The user works at Kitebird | The user's husband works at Nordlys
Project Kestrel is paused | Project Heron is done
The user is allergic to walnuts | The user is allergic to dust
The maps service publishes tiles to S3 | The maps service reads roads from Postgres
The user does not drink wine | The user does not eat cheese
Prefers trains over buses | Prefers novels over essays
The tablet app needs Node 18 | The kiosk app needs Node 20
Wants code reviews in English | Wants release notes in Dutch
Em Kotlin, prefere funções curtas | Em Java, prefere classes curtas
O ambiente de testes usa dados falsos | O ambiente de produção usa dados falsos
O usuário nada às quartas | O usuário nada aos sábados
O usuário mora em Aveiro | O usuário estudou em Coimbra
O usuário gosta de fado | O usuário gosta de samba
O usuário fala grego | O usuário fala turco
Usa o Miro para mapas mentais | Usa o Notion para anotações
O serviço de frete usa Kafka | O serviço de estoque usa Kafka
O arquivo app/views/home.erb é legado | O arquivo app/views/cart.erb é legado
O ticket FRT-20 depende do fiscal | O ticket FRT-02 depende do fiscal
A Carla é a chefe do usuário | A Carla é tia do Davi
A prova de canto é no dia 2 de maio | A prova de dança é no dia 9 de maio
O usuário é alérgico a camarão | O usuário é alérgico a mofo
O painel de filas usa a porta 3100 | O painel de erros usa a porta 3200
O usuário não gosta de jiló | O usuário adora quiabo
O frete publica eventos no Kafka | O frete lê tabelas do Redis
用户会说德语 | 用户会说法语
预发环境的缓存是共享的 | 生产环境的缓存是共享的
王强是用户的经理 | 赵丽是用户的表姐
用户住在南京 | 用户出生在苏州
搜索服务用 Redis 做缓存 | 推荐服务用 Redis 做缓存
年度报告的截止日期是3月31日 | 预算的截止日期是4月10日
用户用 Postman 调试接口 | 用户用 Sketch 画图标
用户喜欢篮球 | 用户喜欢足球
用户周二加班 | 用户周四加班
用户的哥哥在银行上班 | 用户的姐姐在医院上班
"""


def pairs(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.requirement("F05")
@pytest.mark.parametrize(("known", "new"), pairs(SAME))
def test_the_same(known: str, new: str) -> None:
    assert compare(known, new).relation in {Relation.IDENTICAL, Relation.REPHRASED}


@pytest.mark.requirement("F06", "F07")
@pytest.mark.parametrize(("known", "new"), pairs(NEWER))
def test_newer(known: str, new: str) -> None:
    assert compare(known, new).relation in {Relation.UPDATED, Relation.CONTRADICTED}


@pytest.mark.requirement("F07")
@pytest.mark.parametrize(("known", "new"), pairs(OTHER))
def test_another_fact(known: str, new: str) -> None:
    assert compare(known, new).relation in {Relation.DISTINCT, Relation.UNSURE}
