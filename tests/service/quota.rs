//! Counting: exact under concurrency, durable, and calendar-correct, with a manual clock.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use citation::clock::Clock;
use citation::config::Config;
use citation::quota::calendar::Month;
use citation::quota::{Charge, Payer, Quota, QuotaError, Subject, report};
use citation::store::audit::Event;
use citation::store::users::{NewUser, User};
use citation::store::{Store, StoreSettings};
use citation_model::plan::Plan;

/// Saturday, 21 November 2026, 04:00 UTC.
const NOW: i64 = 1_795_233_600;

const DAY: u64 = 86_400;

/// A data directory with a clock of its own.
struct Desk {
    _directory: tempfile::TempDir,
    store: Arc<Store>,
    clock: Clock,
    config: Config,
}

impl Desk {
    fn new(now: i64) -> Desk {
        let directory = tempfile::tempdir().unwrap();
        Desk {
            store: open_store(directory.path()),
            clock: Clock::set_to(now),
            config: Config::default(),
            _directory: directory,
        }
    }

    /// A process that counts. The one before must be gone.
    fn quota(&self) -> Arc<Quota> {
        let quota = open_quota(&self.store, &self.config, self.clock.clone());
        quota.start().unwrap();
        quota
    }

    fn user(&self, email: &str, plan: Plan) -> User {
        let new = NewUser {
            uid: format!("uid of {email}"),
            email: Some(email.to_owned()),
            name: None,
            plan,
            password: None,
            identity: None,
        };
        self.store
            .add_user(&new, &Event::new(NOW, "test", "user.create"))
            .unwrap()
    }
}

/// Who pays for one request.
fn payer(subject: Subject, plan: Plan) -> Payer {
    Payer {
        subject,
        plan,
        metered: None,
        cost: Arc::default(),
    }
}

fn open_store(directory: &Path) -> Arc<Store> {
    Arc::new(Store::open(directory, &StoreSettings::default()).unwrap())
}

fn open_quota(store: &Arc<Store>, config: &Config, clock: Clock) -> Arc<Quota> {
    Quota::new(Arc::clone(store), config, clock)
}

fn somebody() -> Subject {
    Subject::Address(citation::quota::address::Address::of(
        "203.0.113.7".parse().unwrap(),
    ))
}

/// Counts lookups one after the other; gives how many were allowed.
fn spend(quota: &Arc<Quota>, subject: Subject, plan: Plan, tries: u64) -> u64 {
    let allowed = (0..tries).filter(|_| match quota.reserve(&payer(subject, plan)) {
        Ok(reservation) => {
            reservation.settle(Charge::Lookup(())).unwrap();
            true
        }
        Err(QuotaError::Exhausted(_)) => false,
        Err(other) => panic!("{other}"),
    });
    allowed.count() as u64
}

#[test]
fn concurrent_reservations_never_exceed_the_quota() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    for subject in [somebody(), Subject::User(7)] {
        let plan = if subject == somebody() {
            Plan::Anonymous
        } else {
            Plan::Free
        };
        let limit = quota.plans().rules(plan).daily_lookups;
        assert_eq!(spend(&quota, subject, plan, limit - 10), limit - 10);
        let allowed = AtomicU64::new(0);
        let refused = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..64 {
                scope.spawn(|| match quota.reserve(&payer(subject, plan)) {
                    Ok(reservation) => {
                        std::thread::yield_now();
                        reservation.settle(Charge::Lookup(())).unwrap();
                        allowed.fetch_add(1, Ordering::SeqCst);
                    }
                    Err(QuotaError::Exhausted(status)) => {
                        assert_eq!((status.remaining, status.used), (0, limit));
                        refused.fetch_add(1, Ordering::SeqCst);
                    }
                    Err(other) => panic!("{other}"),
                });
            }
        });
        assert_eq!((allowed.into_inner(), refused.into_inner()), (10, 54));
    }
    drop(quota);
    // What was counted is known to the next process, journal or not.
    let quota = desk.quota();
    assert_eq!(quota.status(somebody(), Plan::Anonymous).unwrap().used, 20);
    assert_eq!(quota.status(Subject::User(7), Plan::Free).unwrap().used, 60);
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 5), 0);
}

#[test]
fn failed_lookup_is_refunded() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 19), 19);
    let reservation = quota.reserve(&payer(somebody(), Plan::Anonymous)).unwrap();
    assert!(matches!(
        quota.reserve(&payer(somebody(), Plan::Anonymous)),
        Err(QuotaError::Exhausted(_))
    ));
    drop(reservation);
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 5), 1);
}

#[test]
fn window_opens_with_the_first_lookup_and_closes_24_hours_later() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    let status = |quota: &Arc<Quota>| {
        let status = quota.status(somebody(), Plan::Anonymous).unwrap();
        (
            status.used,
            status.remaining,
            status.reset_seconds,
            status.reset_at - desk.clock.unix(),
        )
    };
    desk.clock.advance(5_000);
    assert_eq!(status(&quota), (0, 20, 86_400, 86_400));
    spend(&quota, somebody(), Plan::Anonymous, 20);
    desk.clock.advance(DAY - 1);
    assert_eq!(status(&quota), (20, 0, 1, 1));
    drop(quota);
    // The window outlives the process, and so does its end.
    let quota = desk.quota();
    assert_eq!(status(&quota), (20, 0, 1, 1));
    desk.clock.advance(1);
    assert_eq!(status(&quota), (0, 20, 86_400, 86_400));
    desk.clock.advance(10_000);
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 1), 1);
    desk.clock.advance(100);
    assert_eq!(status(&quota), (1, 19, 86_300, 86_300));
}

#[test]
fn backward_clock_locks_nobody_out() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    desk.clock.jump_to(NOW + 3_650 * 86_400);
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 25), 20);
    desk.clock.jump_to(NOW);
    let status = quota.status(somebody(), Plan::Anonymous).unwrap();
    assert_eq!((status.remaining, status.reset_seconds), (0, 86_400));
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 1), 0);
    desk.clock.advance(DAY);
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 25), 20);
}

#[test]
fn clock_swing_gives_no_fresh_lookups() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 25), 20);
    for away in [-2 * DAY as i64, -3_600, 60] {
        desk.clock.jump_to(NOW + away);
        assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 1), 0, "{away}");
    }
    // The same over restarts.
    quota.fold().unwrap();
    drop(quota);
    for away in [-2 * DAY as i64, -3_600, 120] {
        desk.clock.jump_to(NOW + away);
        let quota = desk.quota();
        assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 1), 0, "{away}");
        quota.fold().unwrap();
    }
    let quota = desk.quota();
    desk.clock.advance(DAY);
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 25), 20);
}

#[test]
fn unwritten_call_is_counted_later() {
    let desk = Desk::new(NOW);
    let user = desk.user("a@example.org", Plan::Academic);
    let quota = desk.quota();
    let used = || {
        let monthly = quota.monthly(user.id, Plan::Academic).unwrap();
        monthly.unwrap().used
    };
    quota.count_call(user.id, Plan::Academic);
    quota.fold().unwrap();
    let folder = desk.store.directory().join("usage");
    let away = desk.store.directory().join("away");
    std::fs::rename(&folder, &away).unwrap();
    (0..3).for_each(|_| quota.count_call(user.id, Plan::Academic));
    assert_eq!((quota.uncounted_calls(), used()), (3, 1));
    assert!(quota.fold().is_err());
    std::fs::rename(&away, &folder).unwrap();
    quota.fold().unwrap();
    assert_eq!((quota.uncounted_calls(), used()), (0, 4));
    let month = report::monthly(&desk.store, Month::of(NOW)).unwrap();
    assert_eq!(month.total_calls, 4);
}

#[test]
fn allowance_resets_with_the_calendar_month() {
    // 28 February 2028, a minute before the leap day.
    let mut desk = Desk::new(1_835_395_140);
    desk.config.quota.academic_monthly = 3;
    let user = desk.user("a@example.org", Plan::Academic);
    let quota = desk.quota();
    let month = |quota: &Arc<Quota>| {
        let month = quota.monthly(user.id, Plan::Academic).unwrap().unwrap();
        (
            month.used,
            month.included,
            month.overage,
            citation::clock::iso8601(month.resets_at),
        )
    };
    let call = |count| (0..count).for_each(|_| quota.count_call(user.id, Plan::Academic));
    call(2);
    desk.clock.advance(60);
    call(3);
    assert_eq!(month(&quota), (5, 3, 2, "2028-03-01T00:00:00Z".to_owned()));
    desk.clock.advance(DAY - 1);
    assert_eq!(month(&quota).0, 5);
    desk.clock.advance(1);
    assert_eq!(month(&quota), (0, 3, 0, "2028-04-01T00:00:00Z".to_owned()));
    call(1);
    // A clock set back counts where it stands, and finds what was counted there.
    desk.clock.jump_to(1_835_395_200);
    call(1);
    assert_eq!(month(&quota).0, 6);
    let read = |text| report::monthly(&desk.store, Month::parse(text).unwrap()).unwrap();
    let february = read("2028-02");
    assert_eq!(
        (february.from.as_str(), february.to.as_str()),
        ("2028-02-01", "2028-02-29")
    );
    let days: Vec<(&str, u64)> = february.accounts[0]
        .days
        .iter()
        .map(|day| (day.date.as_str(), day.calls))
        .collect();
    assert_eq!(days, [("2028-02-28", 2), ("2028-02-29", 4)]);
    assert_eq!(read("2028-03").total_calls, 1);
}

#[test]
fn plans_without_an_allowance_have_no_ledger() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    let user = desk.user("a@example.org", Plan::Free);
    quota.count_call(user.id, Plan::Free);
    assert_eq!(quota.monthly(user.id, Plan::Free).unwrap(), None);
    assert!(
        report::monthly(&desk.store, Month::of(NOW))
            .unwrap()
            .accounts
            .is_empty()
    );
}

#[test]
fn usage_report_matches_scripted_month() {
    let desk = Desk::new(NOW - 20 * 86_400);
    let academic = desk.user("a@example.org", Plan::Academic);
    let business = desk.user("b@example.org", Plan::Business);
    let mut quota = desk.quota();
    for day in 0..29_u64 {
        for _ in 0..day * 40 {
            quota.count_call(academic.id, Plan::Academic);
        }
        if day % 7 == 0 {
            (0..100).for_each(|_| quota.count_call(business.id, Plan::Business));
            drop(quota);
            quota = desk.quota();
        }
        desk.clock.advance(DAY);
    }
    // From the journal alone, then from the database alone.
    for _ in 0..2 {
        let report = report::monthly(&desk.store, Month::parse("2026-11").unwrap()).unwrap();
        let [a, b] = &report.accounts[..] else {
            panic!("{report:?}")
        };
        assert_eq!(
            (a.email.as_deref(), a.plan, a.included),
            (Some("a@example.org"), "Academic", 10_000)
        );
        assert_eq!((a.calls, a.overage, a.days.len()), (16_240, 6_240, 28));
        assert_eq!(
            (a.days[0].date.as_str(), a.days[0].calls),
            ("2026-11-02", 40)
        );
        assert_eq!(
            (a.days[27].date.as_str(), a.days[27].calls),
            ("2026-11-29", 28 * 40)
        );
        assert_eq!((b.calls, b.overage), (500, 0));
        assert_eq!((report.total_calls, report.total_overage), (16_740, 6_240));
        let csv = report.to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(
            lines[1].ends_with(",a@example.org,Academic,10000,16240,6240,2026-11-02,2026-11-29"),
            "{csv}"
        );
        assert_eq!(report.to_daily_csv().lines().count(), 1 + 28 + 5);
        assert!(
            report::monthly(&desk.store, Month::parse("2026-10").unwrap())
                .unwrap()
                .accounts
                .is_empty()
        );
        quota.fold().unwrap();
    }
    // The ledger outlives the account, without its name.
    desk.store
        .delete_user(academic.id, &Event::new(NOW, "test", "user.delete"))
        .unwrap();
    let report = report::monthly(&desk.store, Month::parse("2026-11").unwrap()).unwrap();
    assert_eq!(
        (
            report.accounts[0].calls,
            report.accounts[0].email.as_deref()
        ),
        (16_240, None)
    );
    assert_eq!(report.accounts[0].user_id, "uid of a@example.org");
}

#[test]
fn change_of_plan_keeps_the_greater_allowance_of_the_month() {
    let desk = Desk::new(NOW);
    let user = desk.user("a@example.org", Plan::Business);
    let quota = desk.quota();
    (0..3).for_each(|_| quota.count_call(user.id, Plan::Business));
    desk.clock.advance(DAY);
    quota.count_call(user.id, Plan::Academic);
    let month = quota.monthly(user.id, Plan::Academic).unwrap().unwrap();
    assert_eq!((month.used, month.included), (4, 40_000));
    let report = report::monthly(&desk.store, Month::of(NOW)).unwrap();
    assert_eq!(
        (report.accounts[0].plan, report.accounts[0].included),
        ("Academic", 40_000)
    );
}

#[test]
fn closed_windows_leave_the_database() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    spend(&quota, somebody(), Plan::Anonymous, 3);
    quota.fold().unwrap();
    assert!(desk.store.window("203.0.113.7").unwrap().is_some());
    desk.clock.advance(DAY + 1);
    quota.fold().unwrap();
    assert_eq!(desk.store.window("203.0.113.7").unwrap(), None);
    assert_eq!(spend(&quota, somebody(), Plan::Anonymous, 30), 20);
}

#[test]
fn concurrent_callers_lose_no_count() {
    let desk = Desk::new(NOW);
    let quota = desk.quota();
    let subject =
        |number: u32| Subject::Address(citation::quota::address::Address::V4(number.into()));
    for round in 0..2 {
        for number in 0..100_000 {
            assert_eq!(spend(&quota, subject(number), Plan::Anonymous, 1), 1);
            if number % 20_000 == 0 {
                quota.fold().unwrap();
            }
        }
        quota.fold().unwrap();
        for number in (0..100_000).step_by(997) {
            assert_eq!(
                quota.status(subject(number), Plan::Anonymous).unwrap().used,
                round + 1
            );
        }
    }
}

#[test]
fn second_server_on_one_directory_is_rejected() {
    let desk = Desk::new(NOW);
    let _first = desk.quota();
    let second = open_quota(&desk.store, &desk.config, desk.clock.clone());
    let message = second.start().unwrap_err().to_string();
    assert!(message.contains("another server is running"), "{message}");
    assert!(matches!(
        second
            .reserve(&payer(somebody(), Plan::Anonymous))
            .unwrap()
            .settle(Charge::Lookup(())),
        Err(QuotaError::Write(_))
    ));
}

/// Not a test of its own: counts as fast as it can until it is killed, telling of every try before
/// and of every success after.
#[test]
#[ignore = "run by killed_process_keeps_acknowledged_counts"]
fn count_until_killed() {
    let Ok(directory) = std::env::var("CITATION_TEST_DIRECTORY") else {
        return;
    };
    let store = open_store(Path::new(&directory));
    let mut config = Config::default();
    config.quota.academic_daily = 1_000_000_000;
    let quota = open_quota(&store, &config, Clock::system());
    quota.start().unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    say(b"tried\n");
                    quota
                        .reserve(&payer(Subject::User(1), Plan::Academic))
                        .unwrap()
                        .settle(Charge::Lookup(()))
                        .unwrap();
                    quota.count_call(1, Plan::Academic);
                    say(b"acknowledged\n");
                }
            });
        }
        while quota.fold().is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    });
}

/// One write to the pipe, past all buffers.
fn say(line: &[u8]) {
    let mut out = std::fs::OpenOptions::new()
        .append(true)
        .open("/dev/stdout")
        .unwrap();
    out.write_all(line).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn killed_process_keeps_acknowledged_counts() {
    let directory = tempfile::tempdir().unwrap();
    drop(open_store(directory.path()));
    let (mut tried, mut acknowledged) = (0_u64, 0_u64);
    for round in 1..=3_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "quota::count_until_killed",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env("CITATION_TEST_DIRECTORY", directory.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).split(b'\n');
        let mut count = |line: Option<std::io::Result<Vec<u8>>>| match line {
            Some(Ok(line)) if line == b"tried" => tried += 1,
            Some(Ok(line)) if line == b"acknowledged" => acknowledged += 1,
            Some(_) => {}
            None => panic!("the process ended by itself"),
        };
        for _ in 0..2_000 * round {
            count(lines.next());
        }
        child.kill().unwrap();
        lines.for_each(|line| count(Some(line)));
        child.wait().unwrap();

        let store = open_store(directory.path());
        let quota = open_quota(&store, &Config::default(), Clock::system());
        quota.start().unwrap();
        let used = quota.status(Subject::User(1), Plan::Academic).unwrap().used;
        let calls = quota.monthly(1, Plan::Academic).unwrap().unwrap().used;
        println!(
            "round {round}: tried {tried}, counted {used} and {calls}, acknowledged {acknowledged}"
        );
        assert!(
            (acknowledged..=tried).contains(&used),
            "{acknowledged} <= {used} <= {tried}"
        );
        assert!(
            (acknowledged..=tried).contains(&calls),
            "{acknowledged} <= {calls} <= {tried}"
        );
        assert!(acknowledged > 0);
    }
    assert!(directory.path().exists());
}
